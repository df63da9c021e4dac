// Pseudo-random numbers and ids that depend only on a seed and on names: the same pod gets the same values on every machine, in
// whatever order pods are synced.
// Ours: one seed gives one simulation.
import { type Random, seededRandom } from '../../base/random.ts'

/** A 32-bit hash (FNV-1a). */
export function hashString(text: string, start = 0x811c9dc5): number {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** A random source for one purpose: `randomFor(salt, uid, 'stop', 3)`. */
export function randomFor(salt: number, first: string, ...rest: readonly (string | number)[]): Random {
  let hash = hashString(first, salt)
  for (const part of rest) hash = hashString(typeof part === 'number' ? String(part) : part, hashString('\n', hash))
  return seededRandom(hash)
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** 64 hexadecimal digits, as in digests and container ids. */
export function digestOf(text: string): string {
  let digest = ''
  let word = hashString(text)
  for (let words = 0; words < 8; words++) {
    word = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    word = Math.imul(word ^ (word >>> 12), 0x297a2d39)
    word ^= word >>> 15
    digest += hexBytes[word >>> 24]! + hexBytes[(word >>> 16) & 255]! + hexBytes[(word >>> 8) & 255]! + hexBytes[word & 255]!
  }
  return digest
}
