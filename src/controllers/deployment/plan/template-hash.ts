// The pod-template-hash: in the name and the selector of a ReplicaSet, and on its pods.
// Kubernetes: pkg/controller.ComputeHash
// Kubernetes: k8s.io/apimachinery/pkg/util/dump.ForHash
// Kubernetes: pkg/util/hash.DeepHashObject
// Kubernetes: k8s.io/apimachinery/pkg/util/rand.SafeEncodeString
import { dumpGo } from '../../../api/machinery/go-dump/dump.ts'
import type { Deployment } from '../../../api/types.ts'

type Template = NonNullable<Deployment['spec']>['template']

/** The hash that Kubernetes computes: a template has the same hash on every cluster. `collisionCount` changes it after a collision. */
export function templateHash(template: Template | undefined, collisionCount: number | undefined): string {
  // Cached: a simulation runs a thousand clusters with the same few templates.
  const text = JSON.stringify([template, collisionCount])
  let hash = hashes.get(text)
  if (hash === undefined) {
    if (hashes.size >= maxHashes) hashes.clear()
    hash = hashOf(template, collisionCount)
    if (text.length <= maxKeyLength) hashes.set(text, hash)
  }
  return hash
}

const hashes = new Map<string, string>()
const maxHashes = 64
const maxKeyLength = 10_000

function hashOf(template: Template | undefined, collisionCount: number | undefined): string {
  let hash = addText(fnvOffset, dumpGo('core.PodTemplateSpec', template ?? {}))
  if (collisionCount !== undefined) hash = addNumber(hash, collisionCount)
  return safeEncode(String(hash >>> 0))
}

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

const addByte = (hash: number, byte: number) => Math.imul(hash ^ byte, fnvPrime)

function addText(start: number, text: string): number {
  let hash = start
  for (const byte of new TextEncoder().encode(text)) hash = addByte(hash, byte)
  return hash
}

/** Eight bytes, little endian. */
function addNumber(start: number, number: number): number {
  let hash = start
  for (let shift = 0; shift < 64; shift += 8) hash = addByte(hash, shift < 32 ? (number >>> shift) & 0xff : 0)
  return hash
}

// No vowels and no digits that look like letters, so that no words appear.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

const safeEncode = (text: string) => [...text].map((char) => alphabet[char.charCodeAt(0) % alphabet.length]).join('')
