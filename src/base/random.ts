// Randomness is injected. This is the only file that uses the machine's.

export interface Random {
  /** A number in [0, 1). */
  next(): number
}

/** The same seed gives the same numbers on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let t = state
      t = Math.imul(t ^ (t >>> 15), t | 1)
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296
    },
  }
}

/** A generator for one of several parts: each part has its own sequence, independent of the others. */
export const seededPart = (seed: number, part: number): Random => seededRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(part, 0x85ebca6b))

export const machineRandom: Random = { next: () => Math.random() }

// Kubernetes' alphabet for generated names: no vowels and no digits that look like letters, so that no words appear.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** The random end of a generated name. */
export function randomSuffix(random: Random, length = 5): string {
  let text = ''
  for (let i = 0; i < length; i++) text += nameAlphabet[Math.floor(random.next() * nameAlphabet.length)]
  return text
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A version 4 UUID. */
export function randomUid(random: Random): string {
  const byte = () => Math.floor(random.next() * 256)
  const h = () => hex[byte()]!
  const version = hex[(byte() & 0x0f) | 0x40]!
  const variant = hex[(byte() & 0x3f) | 0x80]!
  return `${h()}${h()}${h()}${h()}-${h()}${h()}-${version}${h()}-${variant}${h()}-${h()}${h()}${h()}${h()}${h()}${h()}`
}
