// The limit on the size of a stored object: that of etcd for one request. It holds for every write, also where an object grows after its
// request: by defaults, patches and controllers.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.isTooLargeError
import type { Kind } from '../../api/machinery/kind.ts'
import { protobufSize } from '../../api/machinery/protobuf-size.ts'
import { failure, maxRequestBytes, requestTooLargeError } from '../../api/machinery/status-error.ts'
import { byteLength } from '../../api/machinery/validation/names.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { registryKeyOf } from './registry-key.ts'

/** The limit of etcd's client. */
const maxMessageBytes = 2 * 1024 * 1024
/** What is in the request beside three keys and the object. */
const requestBytes = 100

/** Throws a StatusError with the message that the API server passes on from etcd. */
export function checkStoredSize(kind: Kind, object: KubernetesObject): void {
  if (largestSize(object, maxRequestBytes / 2) <= maxRequestBytes / 2) return
  const { namespace = '', name = '' } = object.metadata ?? {}
  const size = requestBytes + 3 * registryKeyOf(kind, namespace, name).length + storedSize(kind, object)
  if (size > maxMessageBytes)
    throw failure(
      500,
      '',
      `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${maxMessageBytes})`,
    )
  if (size > maxRequestBytes) throw requestTooLargeError()
}

/** An estimate of the characters that only this version holds in memory, once `next` has replaced it: versions share equal parts. */
export function charactersBeside(object: KubernetesObject, next: KubernetesObject | undefined): number {
  let size = 0
  for (const [key, value] of Object.entries(object)) {
    if (typeof value !== 'object' || value === null) continue
    if (value !== (next as Readonly<Record<string, unknown>> | undefined)?.[key]) size += knownSize(value, maxRequestBytes / 2)
  }
  return size / maxBytesPerCharacter
}

/** Custom resources are stored as JSON, in which Go escapes three more characters; other kinds as protobuf. */
function storedSize({ type, customType }: Kind, object: KubernetesObject): number {
  if (customType === undefined) return protobufSize(type, object)
  const json = JSON.stringify(object)
  return byteLength(json) + 5 * (json.match(/[<>&]/g)?.length ?? 0)
}

const known = new WeakMap<object, number>()

/** An upper bound of the size in either form, which takes less time than the size itself. Above `limit` it is any number above it. */
function largestSize(object: KubernetesObject, limit: number): number {
  let size = 0
  for (const value of Object.values(object)) {
    if (typeof value !== 'object' || value === null) continue
    size += knownSize(value, limit)
    if (size > limit) break
  }
  return size
}

/** Specs and data are shared between versions of an object, and between similar objects. */
function knownSize(value: object, limit: number): number {
  let size = known.get(value)
  if (size === undefined) {
    size = partSize(value, limit)
    known.set(value, size)
  }
  return size
}

function partSize(value: unknown, limit: number): number {
  if (typeof value === 'string') return maxBytesPerCharacter * value.length + smallBytes
  if (typeof value !== 'object' || value === null) return smallBytes
  let size = smallBytes
  if (Array.isArray(value)) {
    for (const one of value) {
      size += partSize(one, limit)
      if (size > limit) break
    }
    return size
  }
  for (const key in value) {
    size += maxBytesPerCharacter * key.length + partSize((value as Record<string, unknown>)[key], limit)
    if (size > limit) break
  }
  return size
}

/** The longest escape of a character in JSON. */
const maxBytesPerCharacter = 6
/** More than a number, a boolean, or the delimiters of a string or container take. */
const smallBytes = 24
