// The functions of templates: those of Go, and those of KWOK and sprig that stages commonly use.
// Ours: Stages belong to KWOK, another program.
import { formatYaml } from './plain-yaml.ts'

export type TemplateFunctions = Readonly<Record<string, (...words: readonly unknown[]) => unknown>>

/** Whether Go considers the value empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

export function printed(value: unknown): string {
  if (value === undefined || value === null) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  return `map[${Object.keys(value)
    .sort()
    .map((key) => `${key}:${printed((value as Record<string, unknown>)[key])}`)
    .join(' ')}]`
}

/** Quotes a string as Go's JSON encoder does; any other value is encoded as JSON and quoted. */
function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return JSON.stringify(JSON.stringify(value ?? null))
}

function index(value: unknown, ...keys: readonly unknown[]): unknown {
  let current = value
  for (const key of keys) {
    if (Array.isArray(current)) current = current[Number(key)]
    else if (typeof current === 'object' && current !== null && Object.hasOwn(current, String(key)))
      current = (current as Record<string, unknown>)[String(key)]
    else current = undefined
  }
  return current
}

function printf(format: unknown, ...values: readonly unknown[]): string {
  let at = 0
  return String(format).replace(/%(?:[-+ 0#]*\d*(?:\.\d+)?)([a-zA-Z%])/g, (_, verb: string) => {
    if (verb === '%') return '%'
    const value = values[at++]
    return verb === 'q' ? JSON.stringify(printed(value)) : printed(value)
  })
}

function dict(...pairs: readonly unknown[]): Record<string, unknown> {
  const made: [string, unknown][] = []
  for (let at = 0; at + 1 < pairs.length; at += 2) made.push([String(pairs[at]), pairs[at + 1]])
  return Object.fromEntries(made)
}

const maxIndent = 100
const maxJoinedLength = 1024 * 1024

function joined(words: readonly string[], separator: string): string {
  if (words.length * separator.length > maxJoinedLength) throw new Error('a string is too long')
  return words.join(separator)
}

const number = (value: unknown) => Number(value) || 0
const text = (value: unknown) => (value === undefined || value === null ? '' : printed(value))
const same = (a: unknown, b: unknown) => a === b || (a !== undefined && b !== undefined && typeof a !== 'object' && String(a) === String(b))
const below = (a: unknown, b: unknown) => (typeof a === 'string' && typeof b === 'string' ? a < b : number(a) < number(b))

/** The functions that depend on the node, the pod and the time. */
export const contextFunctionNames = [
  'Now',
  'StartTime',
  'Version',
  'NodeConditions',
  'NodeName',
  'NodeIP',
  'NodePort',
  'NodeIPWith',
  'NodeIPsWith',
  'PodIP',
  'PodIPWith',
  'PodIPsWith',
] as const

export const templateFunctions: TemplateFunctions = {
  and: (...words) => (words.some(isEmpty) ? words.find(isEmpty) : words.at(-1)),
  or: (...words) => words.find((word) => !isEmpty(word)) ?? words.at(-1),
  not: (word) => isEmpty(word),
  eq: (first, ...others) => others.some((other) => same(first, other)),
  ne: (a, b) => !same(a, b),
  lt: below,
  le: (a, b) => !below(b, a),
  gt: (a, b) => below(b, a),
  ge: (a, b) => !below(a, b),
  len: (word) => (typeof word === 'string' ? word.length : Object.keys((word ?? {}) as object).length),
  index,
  print: (...words) => words.map(text).join(''),
  println: (...words) => `${words.map(text).join(' ')}\n`,
  printf,
  Quote: quote,
  YAML: (value, indent) => formatYaml(value, Math.min(maxIndent, number(indent))),
  quote: (...words) => words.map((word) => JSON.stringify(text(word))).join(' '),
  squote: (...words) => words.map((word) => `'${text(word)}'`).join(' '),
  dict,
  list: (...words) => words,
  default: (fallback, word) => (isEmpty(word) ? fallback : word),
  empty: isEmpty,
  coalesce: (...words) => words.find((word) => !isEmpty(word)),
  ternary: (yes, no, condition) => (isEmpty(condition) ? no : yes),
  hasKey: (map, key) => typeof map === 'object' && map !== null && Object.hasOwn(map, String(key)),
  get: (map, key) => index(map, key) ?? '',
  upper: (word) => text(word).toUpperCase(),
  lower: (word) => text(word).toLowerCase(),
  trim: (word) => text(word).trim(),
  trimPrefix: (prefix, word) => (text(word).startsWith(text(prefix)) ? text(word).slice(text(prefix).length) : text(word)),
  trimSuffix: (suffix, word) => (text(word).endsWith(text(suffix)) ? text(word).slice(0, -text(suffix).length) : text(word)),
  contains: (part, word) => text(word).includes(text(part)),
  hasPrefix: (prefix, word) => text(word).startsWith(text(prefix)),
  hasSuffix: (suffix, word) => text(word).endsWith(text(suffix)),
  replace: (from, to, word) => joined(text(word).split(text(from)), text(to)),
  join: (separator, words) => (Array.isArray(words) ? joined(words.map(text), text(separator)) : text(words)),
  toString: text,
  toJson: (word) => JSON.stringify(word ?? null),
  int: (word) => Math.trunc(number(word)),
  int64: (word) => Math.trunc(number(word)),
  add: (...words) => words.reduce<number>((sum, word) => sum + number(word), 0),
  add1: (word) => number(word) + 1,
  sub: (a, b) => number(a) - number(b),
  mul: (...words) => words.reduce<number>((product, word) => product * number(word), 1),
  div: (a, b) => Math.trunc(number(a) / number(b)),
  mod: (a, b) => number(a) % number(b),
  max: (...words) => Math.max(...words.map(number)),
  min: (...words) => Math.min(...words.map(number)),
  until: (count) => Array.from({ length: Math.max(0, Math.min(10_000, number(count))) }, (_, at) => at),
}
