// Numbers and texts that look like chance but follow from names: the same pod gets the same on every machine, in
// whatever order pods are worked on.
import { type Random, seededRandom } from '../../base/random.ts'

/** 32 bits that depend on every character (FNV-1a). */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Chance for one purpose: `chanceOf(salt, uid, 'stop', 3)`. */
export function chanceOf(salt: number, ...parts: readonly (string | number)[]): Random {
  return seededRandom(hashText(parts.join('\n'), salt))
}

/** 64 hexadecimal digits that stand for the text, as digests and container ids do. */
export function digestOf(text: string): string {
  const random = seededRandom(hashText(text))
  let digest = ''
  for (let word = 0; word < 8; word++)
    digest += Math.floor(random.next() * 0x100000000)
      .toString(16)
      .padStart(8, '0')
  return digest
}
