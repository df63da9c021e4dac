// YAML bodies, read as Kubernetes reads them: YAML 1.1 without its times and its numbers to the base of sixty.
import { withSortedKeys } from '../../api/patch/json-object.ts'
import { badRequestError } from '../../api/status-error.ts'
import { isTooDeep } from './depth.ts'
import type { Input, PatchInput } from './rest.ts'

const mostAliases = 100

/** Resolves what is YAML; JSON passes as it is. Throws a StatusError (400). */
export async function readYaml<T extends Input>(input: T, isApply = false): Promise<T | PatchInput> {
  if (!('text' in input) || input.format !== 'yaml') return input
  // Most of what calls itself YAML is JSON, and a parser of YAML is slow.
  if (input.text.trimStart().startsWith('{') && isJson(input.text)) return { text: input.text, format: 'json' }
  const { parseAllDocuments } = await import('yaml')
  try {
    // Whatever follows the first document is not looked at.
    const [document] = parseAllDocuments(input.text, {
      version: '1.1',
      merge: true,
      uniqueKeys: false,
      prettyErrors: false,
      customTags: (tags) =>
        tags.filter((tag) => typeof tag === 'string' || !(/(timestamp|binary|omap|pairs|set)$/.test(tag.tag) || tag.format === 'TIME')),
    })
    if (document === undefined) return { object: null }
    const [error] = document.errors
    if (error !== undefined) throw error
    const object = document.toJS({ maxAliasCount: mostAliases }) as unknown
    if (isTooDeep(object)) throw new RangeError('exceeded max depth')
    // Kubernetes reads YAML by way of JSON with its keys in order, and finds faults in that order.
    return { object: withSortedKeys(object) }
  } catch (error) {
    // A parser that runs out of stack says so with the same error as a list of aliases that is too long.
    throw refuse((error as Error).message, isApply)
  }
}

const refuse = (why: string, isApply: boolean) =>
  badRequestError(`${isApply ? 'error decoding YAML: ' : ''}error converting YAML to JSON: yaml: ${why}`)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
