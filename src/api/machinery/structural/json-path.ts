// Kubernetes: k8s.io/client-go/util/jsonpath.Parser.*, JSONPath.FindResults
import { isJsonObject } from '../json-object.ts'

// JSONPath as printed columns, scale and selectable fields use it: `.spec.replicas`, `.metadata.annotations.a\.b`,
// `.status.conditions[?(@.type=="Ready")].status`, `.spec.list[*].name`, `.spec.list[0]`.

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'slice'; readonly from: number; readonly to: number | undefined }
  | { readonly kind: 'filter'; readonly path: readonly Step[]; readonly operator: string; readonly value: unknown }

export type JsonPath = readonly Step[]

/** Of filters in the paths of filters. */
const maxFilterDepth = 20

/** The path, or a message that says what is wrong with it. */
export function parseJsonPath(text: string, depth = 0): JsonPath | string {
  const steps: Step[] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === '.') {
      at++
      if (text[at] === '.') {
        steps.push({ kind: 'descend' })
        at++
      }
      if (text[at] === '[' || at >= text.length) continue
      if (text[at] === '*') {
        steps.push({ kind: 'all' })
        at++
        continue
      }
      const name = /^(?:\\.|[^.[\\])+/.exec(text.slice(at))
      if (name === null) return `unexpected path string, expected '[' instead of '.'`
      steps.push({ kind: 'field', name: name[0].replace(/\\(.)/g, '$1') })
      at += name[0].length
    } else if (text[at] === '[') {
      const end = closingBracket(text, at)
      if (end < 0) return 'unterminated array'
      const step = parseBracket(text.slice(at + 1, end).trim(), depth)
      if (typeof step === 'string') return step
      steps.push(step)
      at = end + 1
    } else return `unrecognized character in action: U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')} '${text[at]}'`
  }
  return steps
}

function closingBracket(text: string, start: number): number {
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return at
  }
  return -1
}

function parseBracket(inner: string, depth: number): Step | string {
  if (inner === '*' || inner === '') return { kind: 'all' }
  const name = /^(['"])(.*)\1$/.exec(inner)
  if (name !== null) return { kind: 'field', name: name[2]!.replace(/\\(.)/g, '$1') }
  const range = /^(-?[0-9]*)(:(-?[0-9]*))?$/.exec(inner)
  if (range !== null && inner !== '') {
    const from = range[1] === '' ? 0 : Number(range[1])
    if (range[2] === undefined) return { kind: 'slice', from, to: from === -1 ? undefined : from + 1 }
    return { kind: 'slice', from, to: range[3] === '' || range[3] === undefined ? undefined : Number(range[3]) }
  }
  const filter = /^\?\((.*)\)$/.exec(inner)
  return filter === null ? `invalid array index ${inner}` : parseFilter(filter[1]!.trim(), depth)
}

function parseFilter(text: string, depth: number): Step | string {
  if (!text.startsWith('@')) return `invalid filter ${text}`
  if (depth > maxFilterDepth) return 'filters are nested too deep'
  const operator = /==|!=|<=|>=|<|>/.exec(text)
  const literal = operator === null ? '' : text.slice(operator.index + operator[0].length).trim()
  const hasOperator = operator !== null && literal !== ''
  const path = parseJsonPath(text.slice(1, hasOperator ? operator.index : undefined).trim(), depth + 1)
  if (typeof path === 'string') return path
  return { kind: 'filter', path, operator: hasOperator ? operator[0] : 'exists', value: literalOf(literal) }
}

function literalOf(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(text)
  if (quoted !== null) return quoted[2]!.replace(/\\(.)/g, '$1')
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}

/** How many values may still be visited. */
export interface PathWork {
  left: number
}

/** For all columns of a row: a path such as `..*..*` may lead to each value of an object in many ways. */
export const workOfRow = (): PathWork => ({ left: 50_000 })

/** The first value at the path. Undefined where there is none, or where there was too much work. */
export function findJsonPath(path: JsonPath, value: unknown, work: PathWork): unknown {
  let found: unknown[] = [value]
  for (const step of path) {
    const next: unknown[] = []
    // The same value is followed once: its second way cannot lead to an earlier result.
    const seen = new Set<unknown>()
    const add = (one: unknown): boolean => {
      if (--work.left < 0) return false
      if (typeof one === 'object' && one !== null) {
        if (seen.has(one)) return false
        seen.add(one)
      }
      next.push(one)
      return true
    }
    for (const one of found) follow(step, one, add, work)
    if (work.left < 0) return undefined
    found = next
  }
  return found[0]
}

function follow(step: Step, value: unknown, add: (one: unknown) => boolean, work: PathWork): void {
  switch (step.kind) {
    case 'field':
      if (isJsonObject(value) && Object.hasOwn(value, step.name)) add(value[step.name])
      break
    case 'all':
      for (const one of innerOf(value)) add(one)
      break
    case 'slice':
      if (Array.isArray(value)) for (const one of value.slice(step.from, step.to)) add(one)
      break
    case 'descend':
      descend(value, add)
      break
    case 'filter':
      if (Array.isArray(value)) for (const one of value) if (work.left > 0 && isMatch(step, one, work)) add(one)
      break
  }
}

const innerOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [])

function descend(value: unknown, add: (one: unknown) => boolean): void {
  if (add(value)) for (const one of innerOf(value)) descend(one, add)
}

function isMatch({ path, operator, value }: Extract<Step, { kind: 'filter' }>, item: unknown, work: PathWork): boolean {
  const found = findJsonPath(path, item, work)
  if (operator === 'exists') return found !== undefined
  if (found === undefined) return false
  switch (operator) {
    case '==':
      return found === value
    case '!=':
      return found !== value
    case '<':
      return (found as number) < (value as number)
    case '<=':
      return (found as number) <= (value as number)
    case '>':
      return (found as number) > (value as number)
    default:
      return (found as number) >= (value as number)
  }
}
