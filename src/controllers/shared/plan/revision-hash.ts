// Names of revisions: the FNV-1 hash of their canonical JSON, in characters that form no words.
// Kubernetes: pkg/controller/history.HashControllerRevision, ControllerRevisionName
// Kubernetes: k8s.io/apimachinery/pkg/util/rand.SafeEncodeString

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const encoder = new TextEncoder()

/** `collisions` changes the hash when another revision already has the name. */
export function revisionHash(text: string, collisions?: number): string {
  let hash = 0x811c9dc5
  for (const byte of encoder.encode(collisions === undefined ? text : text + collisions)) hash = Math.imul(hash, 0x01000193) ^ byte
  let safe = ''
  for (const digit of String(hash >>> 0)) safe += alphabet[digit.charCodeAt(0) % alphabet.length]
  return safe
}

const maxPrefixLength = 223

export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, maxPrefixLength)}-${hash}`
}
