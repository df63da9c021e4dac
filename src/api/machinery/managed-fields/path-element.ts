// One step of a path in a field set:
//   f:name                 a field of an object
//   k:{"name":"x"}         the element of a list that has this key, its names sorted
//   v:"x"                  the element of a set
//   i:0                    the element at that place
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/fieldpath.SerializePathElement, DeserializePathElement, PathElement.*
import { cached } from '../../../base/cached.ts'
import { goJson } from '../go-text.ts'
import { isJsonObject } from '../json-object.ts'

const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 }

/** Kubernetes' order: the field itself, fields by name, then keys, values and places. */
export function compareElements(one: string, other: string): number {
  if (one === other) return 0
  if (one === '.') return -1
  if (other === '.') return 1
  const kind = one[0]!
  if (kind !== other[0]) return ranks[kind]! - ranks[other[0]!]!
  if (kind === 'f') return one < other ? -1 : 1
  return compareValues(contentOf(one), contentOf(other))
}

function compareValues(one: unknown, other: unknown): number {
  const rank = rankOfValue(one) - rankOfValue(other)
  if (rank !== 0) return rank
  if (!isJsonObject(one) || !isJsonObject(other)) {
    if (one === other) return 0
    return (one as number) < (other as number) ? -1 : 1
  }
  const names = sortedNames(one)
  const otherNames = sortedNames(other)
  for (let at = 0; at < Math.min(names.length, otherNames.length); at++) {
    const name = names[at]!
    const otherName = otherNames[at]!
    if (name !== otherName) return name < otherName ? -1 : 1
    const byValue = compareValues(one[name], other[name])
    if (byValue !== 0) return byValue
  }
  return names.length - otherNames.length
}

function sortedNames(key: object): readonly string[] {
  const names = Object.keys(key)
  return names.length > 1 ? names.sort() : names
}

function rankOfValue(value: unknown): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : typeof value === 'boolean' ? 2 : isJsonObject(value) ? 3 : 4
}

// Few distinct keys occur. Parsing them for every comparison would dominate the merging of lists.
/** The part after the colon of a `k:`, `v:` or `i:` element. */
const contentOf = cached(10_000, (element: string): unknown => JSON.parse(element.slice(2)))

/** The element in the one form that Kubernetes would write; undefined for a kind that it skips. Throws an Error for an invalid element. */
export function readElement(text: string): string | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  const rest = text.slice(2)
  switch (text[0]) {
    case 'f':
      return text
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new Error(`strconv.Atoi: parsing ${JSON.stringify(rest)}: invalid syntax`)
      return `i:${Number(rest)}`
    case 'v':
      return `v:${goJson(JSON.parse(rest))}`
    case 'k': {
      const key: unknown = JSON.parse(rest)
      if (!isJsonObject(key)) throw new Error(`expect { or n, but found ${rest[0] ?? ''}`)
      return keyElement(Object.keys(key).map((name) => [name, key[name]]))
    }
    default:
      return undefined
  }
}

export const valueElement = (value: unknown): string => `v:${goJson(value)}`

export function keyElement(fields: readonly (readonly [name: string, value: unknown])[]): string {
  const sorted = fields.length > 1 ? [...fields].sort(([one], [other]) => (one < other ? -1 : 1)) : fields
  return `k:{${sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(',')}}`
}

/** The element as messages show it: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
export function formatElement(element: string): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`
  const content = contentOf(element)
  if (element.startsWith('i:')) return `[${String(content)}]`
  if (element.startsWith('v:')) return `[=${formatValue(content)}]`
  const fields = Object.entries(content as object)
  return `[${fields.map(([name, value]) => `${name}=${formatValue(value)}`).join(',')}]`
}

export const formatPath = (path: readonly string[]): string => path.map(formatElement).join('')

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`
  // A client may send an object in the place of a key, also one with a toString of its own.
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name}=${formatValue(one)}`)
    .join('')
}
