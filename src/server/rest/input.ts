// The body of a request as an object of its kind.
import { type BodyKind, decodeBody, decodeValue } from '../../api/decode/body.ts'
import { decodeProtobuf, readEnvelope } from '../../api/decode/protobuf.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import type { Input, WriteOptions } from './rest.ts'

interface WithStatus extends KubernetesObject {
  readonly status?: unknown
}

/**
 * A new object, which the write steps change in place. Throws a StatusError (400). Parts of its metadata and status that are equal
 * in `current`, the stored version, are shared with it and not decoded again.
 */
export function readBody<T = KubernetesObject>(kind: BodyKind, input: Input, options: WriteOptions, current?: WithStatus): Writable<T> {
  const { fieldValidation = 'Warn', warn } = options
  const known = current && { metadata: current.metadata, status: current.status }
  const { object, warnings } =
    'text' in input
      ? decodeBody<Writable<T>>(kind, input.text, fieldValidation, known)
      : 'protobuf' in input
        ? decodeValue<Writable<T>>(kind, decodeProtobuf(kind.type, readEnvelope(input.protobuf)), 'Ignore')
        : decodeValue<Writable<T>>(kind, input.object, fieldValidation, {}, known)
  if (warn !== undefined) for (const warning of warnings) warn(warning)
  return object
}
