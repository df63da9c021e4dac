// Strings. Positions count code points.
// Kubernetes: github.com/google/cel-go/ext.stringLib.*
import { bool, dyn, int, listOf, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { CelList } from '../values.ts'
import { buildResult, searchCost, traverse, traverseTwice } from './costs.ts'
import { formatText, quote } from './format-text.ts'

const outOfRange = (at: bigint) => new EvaluationError(`index out of range: ${at}`)

function charAt(text: string, at: bigint): string {
  const characters = [...text]
  if (at < 0n || at > characters.length) throw outOfRange(at)
  return characters[Number(at)] ?? ''
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const characters = [...text]
  if (from < 0n || (from > characters.length && part !== '')) throw outOfRange(from)
  if (part === '') return from
  const start = characters.slice(0, Number(from)).join('').length
  const found = text.indexOf(part, start)
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length)
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const characters = [...text]
  if (from !== undefined && (from < 0n || from >= characters.length) && part !== '') throw outOfRange(from)
  if (part === '') return from ?? BigInt(characters.length)
  const start = from === undefined ? text.length : characters.slice(0, Number(from)).join('').length
  const found = text.lastIndexOf(part, start)
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length)
}

function replace(text: string, old: string, by: string, count: bigint): string {
  if (count < 0n) return text.replaceAll(old, () => by)
  let result = ''
  let rest = text
  for (let left = count; left > 0n; left--) {
    const at = rest.indexOf(old)
    if (at < 0) break
    result += rest.slice(0, at) + by
    rest = rest.slice(at + old.length)
  }
  return result + rest
}

function split(text: string, separator: string, limit: bigint): CelList {
  if (limit === 0n) return new CelList([])
  if (limit === 1n) return new CelList([text])
  const parts = separator === '' ? [...text] : text.split(separator)
  const max = Number(limit)
  if (limit < 0n || parts.length <= max) return new CelList(parts)
  return new CelList([...parts.slice(0, max - 1), parts.slice(max - 1).join(separator)])
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text]
  if (end !== undefined && start > end) throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`)
  if (start < 0n || start > characters.length) throw outOfRange(start)
  if (end !== undefined && (end < 0n || end > characters.length)) throw outOfRange(end)
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('')
}

function join(list: CelList, separator = ''): string {
  const items = [...list]
  for (const item of items) if (typeof item !== 'string') throw new EvaluationError(`join: invalid input: ${String(item)}`)
  return items.join(separator)
}

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const upper = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
/** White space as Unicode defines it. JavaScript's trim() removes another set of characters. */
function trim(text: string): string {
  let [first, end] = [0, text.length]
  while (first < end && isSpace(text[first]!)) first++
  while (end > first && isSpace(text[end - 1]!)) end--
  return text.slice(first, end)
}

const isSpace = (character: string) => /\p{White_Space}/u.test(character)

export const strings: Functions = {
  startsWith: [
    member(
      [string, string],
      bool,
      (text: string, part: string) => text.startsWith(part),
      ([, part]) => traverse([part]),
    ),
  ],
  endsWith: [
    member(
      [string, string],
      bool,
      (text: string, part: string) => text.endsWith(part),
      ([, part]) => traverse([part]),
    ),
  ],
  contains: [member([string, string], bool, (text: string, part: string) => text.includes(part), searchCost)],
  charAt: [member([string, int], string, charAt)],
  indexOf: [
    member([string, string], int, (text: string, part: string) => indexOf(text, part, 0n), traverse),
    member([string, string, int], int, indexOf, traverse),
  ],
  lastIndexOf: [
    member([string, string], int, (text: string, part: string) => lastIndexOf(text, part), traverse),
    member([string, string, int], int, lastIndexOf, traverse),
  ],
  lowerAscii: [member([string], string, lower, traverse)],
  upperAscii: [member([string], string, upper, traverse)],
  replace: [
    member([string, string, string], string, (text: string, old: string, by: string) => replace(text, old, by, -1n), traverseTwice),
    member([string, string, string, int], string, replace, traverseTwice),
  ],
  split: [
    member([string, string], listOf(string), (text: string, separator: string) => split(text, separator, -1n), traverseTwice),
    member([string, string, int], listOf(string), split, traverseTwice),
  ],
  substring: [
    member([string, int], string, (text: string, start: bigint) => substring(text, start), traverse),
    member([string, int, int], string, substring, traverse),
  ],
  trim: [member([string], string, trim, traverse)],
  join: [
    member([listOf(string)], string, (list: CelList) => join(list), buildResult),
    member([listOf(string), string], string, join, buildResult),
  ],
  format: [member([string, listOf(dyn)], string, formatText, traverse)],
  'strings.quote': [global([string], string, quote, traverse)],
}
