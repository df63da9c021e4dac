// Whether the arguments of `'%s is %d'.format([…])` fit its clauses, where both are written out.
// Kubernetes: github.com/google/cel-go/ext.stringFormatValidator.*
import type { CelType } from '../cel-type.ts'
import type { Problem } from '../syntax.ts'
import type { Expression } from './expression.ts'

const integers = ['int', 'uint']
const shown = [...integers, ...'list map double bool string timestamp bytes duration type null'.split(' ')]

const clauses: Readonly<Record<string, { readonly kinds: readonly string[]; readonly message: string }>> = {
  s: {
    kinds: shown,
    message: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { kinds: integers, message: 'decimal clause can only be used on integers' },
  f: { kinds: ['double', 'string'], message: 'fixed-point clause can only be used on doubles' },
  e: { kinds: ['double', 'string'], message: 'scientific clause can only be used on doubles' },
  b: { kinds: [...integers, 'bool'], message: 'only integers and bools can be formatted as binary' },
  x: { kinds: [...integers, 'string', 'bytes'], message: 'only integers, byte buffers, and strings can be formatted as hex' },
  X: { kinds: [...integers, 'string', 'bytes'], message: 'only integers, byte buffers, and strings can be formatted as hex' },
  o: { kinds: integers, message: 'octal clause can only be used on integers' },
}

/** `at`: the place of the call. */
export function findFormatProblem(at: number, text: string, items: readonly Expression[]): Problem | undefined {
  let used = 0
  for (const [, , clause = ''] of text.replaceAll('%%', '').matchAll(/%(\.[0-9]+)?([\s\S]?)/g)) {
    if (clause === '') return { at, message: 'unexpected end of string' }
    const item = items[used]
    if (item === undefined) return { at, message: `index ${used} out of range` }
    used++
    const known = Object.hasOwn(clauses, clause) ? clauses[clause] : undefined
    if (known === undefined) return { at, message: `could not parse formatting clause: unrecognized formatting clause "${clause}"` }
    const wrong = findUnfit(item, known.kinds, clause === 's')
    if (wrong !== undefined)
      return { at: wrong.at, message: `error during formatting: ${known.message}, was given ${runtimeName(wrong.type)}` }
  }
  if (items.length <= used) return undefined
  return { at, message: `too many arguments supplied to string.format (expected ${used}, got ${items.length})` }
}

/** What of the item does not fit; of a list or map, its parts too where `isDeep`. */
function findUnfit(item: Expression, kinds: readonly string[], isDeep: boolean): Expression | undefined {
  if (item.type.kind !== 'dyn' && !kinds.includes(item.type.kind)) return item
  if (!isDeep) return undefined
  const inner = item.kind === 'list' ? item.items : item.kind === 'map' ? item.entries.flatMap(({ key, value }) => [key, value]) : []
  for (const part of inner) {
    const wrong = findUnfit(part, kinds, true)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const runtimeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
}

const runtimeName = (type: CelType): string =>
  type.kind === 'object' || type.kind === 'opaque' ? type.name : (runtimeNames[type.kind] ?? type.kind)
