// Manifests as they may be shown to others: without what Secrets hold. Pure.
import type * as Yaml from 'yaml'
import type { KubernetesObject } from '../../api/types.ts'
import { readDocuments, type Source, type SourceText } from './manifests.ts'

const redactedValue = '<redacted>'
const secretFields = new Set(['data', 'stringData'])
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
/** Names of environment variables whose literal values are most likely credentials. */
const secretName =
  /pass(word|wd|phrase)?$|pwd$|secret|token|credential|(private|api|access|account|signing|encryption)_?key|connection_?string|dsn$/i

/**
 * The same text, with these values replaced wherever they stand, also in Lists and scenarios: the data of Secrets, literal
 * environment variables that are named like credentials, and the annotation in which kubectl keeps a whole object.
 */
export function redactedSource(yaml: typeof Yaml, source: Source): SourceText {
  return 'objects' in source
    ? { name: source.name, text: source.objects.map((object) => JSON.stringify(redactedObject(object), undefined, 2)).join('\n---\n') }
    : redactedText(yaml, source)
}

function redactedObject(object: KubernetesObject): unknown {
  const hide = (value: unknown): unknown =>
    typeof value !== 'object' || value === null ? (value === null ? null : redactedValue) : mapFields(value, (_, inner) => hide(inner))
  const walk = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown }
    const isCredential = typeof name === 'string' && secretName.test(name)
    return mapFields(value, (field, inner) => (isHidden(field, kind === 'Secret', isCredential) ? hide(inner) : walk(inner)))
  }
  return walk(object)
}

/** Of an object or a list. */
const mapFields = (value: object, change: (field: string, inner: unknown) => unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) => change('', item))
    : Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, change(field, inner)]))

const isHidden = (field: string, isSecret: boolean, isCredential: boolean) =>
  (isSecret && secretFields.has(field)) || field === lastApplied || (isCredential && field === 'value')

function redactedText(yaml: typeof Yaml, source: SourceText): SourceText {
  const { name, text } = source
  const spans: (readonly [from: number, to: number])[] = []
  const hide = (node: unknown) => {
    if (yaml.isMap(node)) for (const { value } of node.items) hide(value)
    else if (yaml.isSeq(node)) for (const item of node.items) hide(item)
    else if (yaml.isScalar(node) && node.range && node.value !== null) spans.push([node.range[0], node.range[1]])
  }
  const fieldOf = (map: Yaml.YAMLMap, key: string) => map.items.find((pair) => textOf(yaml, pair.key) === key)?.value
  const walk = (node: unknown) => {
    if (yaml.isSeq(node)) for (const item of node.items) walk(item)
    if (!yaml.isMap(node)) return
    const isSecret = textOf(yaml, fieldOf(node, 'kind')) === 'Secret'
    const isCredential = secretName.test(textOf(yaml, fieldOf(node, 'name')) ?? '')
    for (const { key, value } of node.items) {
      const field = textOf(yaml, key) ?? ''
      if (isHidden(field, isSecret, isCredential)) hide(value)
      else walk(value)
    }
  }
  // An alias shows what its anchor stands for: that is hidden where it is written.
  for (const { document } of readDocuments(yaml, source)) {
    yaml.visit(document, {
      Alias: (_, alias, path) => {
        const owner = path.findLast((one) => yaml.isMap(one) && textOf(yaml, fieldOf(one, 'kind')) === 'Secret')
        if (owner !== undefined) hide(alias.resolve(document))
      },
    })
    walk(document.contents)
  }
  return { name, text: replaced(text, spans) }
}

const textOf = (yaml: typeof Yaml, node: unknown) => (yaml.isScalar(node) && typeof node.value === 'string' ? node.value : undefined)

function replaced(text: string, spans: readonly (readonly [from: number, to: number])[]): string {
  let result = ''
  let at = 0
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    if (from < at) continue
    // A block of lines ends with the last of them.
    const lineEnd = text.slice(from, to).endsWith('\n') ? '\n' : ''
    result += `${text.slice(at, from)}"${redactedValue}"${lineEnd}`
    at = to
  }
  return result + text.slice(at)
}
