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

/** The path, or a message that says what is wrong with it. */
export function parseJsonPath(text: string): JsonPath | string {
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
      const step = parseBracket(text.slice(at + 1, end).trim())
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

function parseBracket(inner: string): Step | string {
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
  return filter === null ? `invalid array index ${inner}` : parseFilter(filter[1]!.trim())
}

function parseFilter(text: string): Step | string {
  const parts = /^@(.*?)(?:\s*(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text)
  if (parts === null) return `invalid filter ${text}`
  const path = parseJsonPath(parts[1]!.trim())
  if (typeof path === 'string') return path
  return { kind: 'filter', path, operator: parts[2] ?? 'exists', value: literalOf(parts[3]) }
}

function literalOf(text = ''): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(text)
  if (quoted !== null) return quoted[2]!.replace(/\\(.)/g, '$1')
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}

export function findJsonPath(path: JsonPath, value: unknown): unknown[] {
  let found: unknown[] = [value]
  for (const step of path) found = found.flatMap((one) => follow(step, one))
  return found
}

function follow(step: Step, value: unknown): unknown[] {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
    case 'all':
      return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
    case 'slice':
      return Array.isArray(value) ? value.slice(step.from, step.to) : []
    case 'descend':
      return descend(value)
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => isMatch(step, item)) : []
  }
}

function descend(value: unknown): unknown[] {
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  return [value, ...inner.flatMap(descend)]
}

function isMatch({ path, operator, value }: Extract<Step, { kind: 'filter' }>, item: unknown): boolean {
  const [found] = findJsonPath(path, item)
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
