// Names of revisions: FNV-1 of the text, in letters and digits that form no words.

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const encoder = new TextEncoder()

/** `collisions` makes another hash of the same text, where the first one's name is taken by other data. */
export function revisionHash(text: string, collisions?: number): string {
  let hash = 0x811c9dc5
  for (const byte of encoder.encode(collisions === undefined ? text : text + collisions)) hash = Math.imul(hash, 0x01000193) ^ byte
  let safe = ''
  for (const digit of String(hash >>> 0)) safe += alphabet[digit.charCodeAt(0) % alphabet.length]
  return safe
}

const longestPrefix = 223

export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, longestPrefix)}-${hash}`
}
