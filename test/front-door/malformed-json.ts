// Valid objects in malformed JSON. The result depends only on the random numbers that are passed in.
import type { Random } from '../../src/base/random.ts'

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!
export const chance = (random: Random, probability: number): boolean => random.next() < probability
export const below = (random: Random, end: number): number => Math.floor(random.next() * end)

/** Names that every object has, or that are dangerous to code that merges objects carelessly. */
export const strangeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  '',
  '$patch',
  '.',
  '~1',
]

export const strangeTexts = [
  '',
  ' ',
  'a'.repeat(64),
  'a'.repeat(300),
  'é'.repeat(100),
  '😀',
  '../../etc',
  '-1',
  '-0',
  '1e9999',
  'NaN',
  'Infinity',
  '9223372036854775808',
  '-9223372036854775809',
  '100%',
  '-5%',
  '1e3%',
  '1Ei',
  '999999999999Ei',
  '1e-400',
  '0x10',
  '１２',
  'true',
  'null',
  '2024-13-45T99:99:99Z',
  '2024-01-01T00:00:00.123456789+99:99',
  '!!!!',
  '{{.x}}',
  'a=b,c notin (',
  '127.0.0.1',
  '::1',
  '*/0 * * * *',
  '0 0 31 2 *',
  'a\nb',
  'A_B.c-',
  ...strangeKeys,
]

const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

/** JSON values, and some that are not JSON. */
const strangeValues: readonly ((random: Random) => string)[] = [
  () => 'null',
  () => 'true',
  () => 'false',
  () => '0',
  () => '-1',
  () => '-0',
  () => '1.5',
  () => '1e999',
  () => '-1e999',
  () => '1E400',
  () => '1e-999',
  () => '2147483648',
  () => '9007199254740993',
  () => '18446744073709551616',
  () => '1'.repeat(400),
  () => '""',
  () => '[]',
  () => '{}',
  () => '[null]',
  () => '[[]]',
  () => '[{}]',
  () => '{"":""}',
  () => '"\\ud800"',
  () => '"\\udc00\\ud800"',
  () => '"\\u0000"',
  () => '"\ufeff"',
  () => '{"a":1,"a":2}',
  () => '{"name":"x","name":{}}',
  () => '{"__proto__":{"polluted":"yes"}}',
  () => '{"constructor":{"prototype":{"polluted":"yes"}}}',
  () => '{"toString":null,"valueOf":1,"hasOwnProperty":false}',
  () => '{"$patch":"replace"}',
  () => '{"toJSON":"x","then":"y"}',
  (random) => JSON.stringify(pick(random, strangeTexts)),
  (random) => `[${JSON.stringify(pick(random, strangeTexts))}]`,
  (random) => `{${JSON.stringify(pick(random, strangeKeys))}:${JSON.stringify(pick(random, strangeTexts))}}`,
  () => deep(50, '[', ']'),
  () => deep(50, '{"a":', '}').replace(':}', ':1}'),
  () => `[${'1,'.repeat(300)}1]`,
  // These are not JSON.
  () => 'NaN',
  () => 'undefined',
  () => '01',
  () => '+1',
  () => '.5',
  () => "'x'",
  () => '"\\x"',
  () => '"\u0001"',
  () => '[1,]',
  () => '{"a":1,}',
  () => '{a:1}',
  () => '/* x */ 1',
  () => '',
]

/** Rarely used: they cost more to write than all the others together. */
const longValues: readonly (() => string)[] = [
  () => deep(10_000, '[', ']'),
  () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  () => '['.repeat(10_000),
  () => `"${'x'.repeat(300_000)}"`,
  () => `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":${i}`).join()}}`,
]

export const strangeValue = (random: Random): string =>
  chance(random, 0.01) ? pick(random, longValues)() : pick(random, strangeValues)(random)

type Change = 'replace' | 'wrap' | 'add' | 'twice' | 'rename' | 'drop'
const changes: readonly Change[] = ['replace', 'replace', 'replace', 'wrap', 'add', 'twice', 'rename', 'drop']

/** `value` as JSON, with one to three of its parts changed. */
export function writeChanged(random: Random, value: unknown): string {
  const parts = countParts(value)
  const targets = new Map<number, Change>()
  const many = 1 + below(random, 3)
  for (let i = 0; i < many; i++) targets.set(below(random, parts), pick(random, changes))
  let part = 0
  const write = (node: unknown): string => {
    const change = targets.get(part++)
    if (change === 'replace') {
      part += countParts(node) - 1
      return strangeValue(random)
    }
    const text = Array.isArray(node)
      ? `[${node.map(write).join()}]`
      : typeof node === 'object' && node !== null
        ? writeObject(random, node, change, write)
        : JSON.stringify(node)
    return change === 'wrap' ? `[${text}]` : text
  }
  return write(value)
}

function writeObject(random: Random, node: object, change: Change | undefined, write: (value: unknown) => string): string {
  const entries = Object.entries(node).map(([key, value]) => [key, write(value)] as [string, string])
  const chosen = entries[below(random, entries.length)]
  if (change === 'add') entries.push([pick(random, [...strangeKeys, 'polluted', 'unknownField']), strangeValue(random)])
  if (chosen !== undefined) {
    if (change === 'twice') entries.push([chosen[0], strangeValue(random)])
    if (change === 'rename') chosen[0] = pick(random, [...strangeKeys, chosen[0].toUpperCase(), 'metadata', 'spec'])
    if (change === 'drop') entries.splice(entries.indexOf(chosen), 1)
  }
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const child of Object.values(value)) count += countParts(child)
  return count
}

/** Damages the bytes of a body that may be valid. Usually does nothing. */
export function breakBytes(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text)
  if (!chance(random, 0.15)) return bytes
  const at = below(random, bytes.length + 1)
  const insert = (piece: Buffer | string) => Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at)])
  switch (below(random, 9)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([Buffer.from('\ufeff'), bytes])
    case 2:
      return Buffer.concat([bytes, Buffer.from('\0')])
    case 3:
      return Buffer.concat([bytes, bytes])
    case 4:
      return insert(Buffer.from([0xff]))
    case 5:
      return insert(Buffer.from([0xed, 0xa0, 0x80]))
    case 6:
      return insert('\0')
    case 7:
      return insert(pick(random, ['{', '}', '[', ']', '"', ',', ':', '\\', '\n---\n', '\t']))
    default:
      return Buffer.from(pick(random, ['', ' ', '\n', 'null', '0', '[]', '{}', '"x"', 'true', '---', '{"kind":1}', '{"metadata":[]}']))
  }
}
