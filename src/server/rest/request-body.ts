// Decodes the body of a request to an object of its kind.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.limitedReadBody, transformDecodeError, addStrictDecodingWarnings, fieldValidation
import { decodeBody, decodeValue, unrecognizedBytes } from '../../api/machinery/decode/body.ts'
import { decodeProtobuf, readEnvelope } from '../../api/machinery/decode/protobuf.ts'
import { goQuote } from '../../api/machinery/go-text.ts'
import { apiVersionOf } from '../../api/machinery/kind.ts'
import type { BodyKind } from '../../api/machinery/scheme.ts'
import { badRequestError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import type { Input, WriteOptions } from './rest.ts'

/**
 * Returns a new object, which the write steps change in place. Throws a StatusError (400). Parts that equal those of `known`, an object
 * that was decoded before, are shared with it and not decoded again; the object itself, its metadata and its status are never shared.
 */
export function readBody<T = KubernetesObject>(kind: BodyKind, input: Input, options: WriteOptions, known?: object): Writable<T> {
  const { fieldValidation = 'Warn', warn } = options
  const { object, warnings } =
    'text' in input
      ? decodeBody<Writable<T>>(kind, input.text, fieldValidation, known)
      : 'protobuf' in input
        ? decodeValue<Writable<T>>(kind, readProtobuf(kind, input.protobuf), 'Ignore')
        : decodeValue<Writable<T>>(
            kind,
            input.object,
            fieldValidation,
            { findProblems: (unknownFields) => [...(input.duplicates ?? []), ...unknownFields] },
            known,
          )
  if (warn !== undefined) for (const warning of warnings) warn(warning)
  return object
}

function readProtobuf(kind: BodyKind, bytes: Uint8Array): Record<string, unknown> {
  const envelope = readEnvelope(bytes, (why) => unrecognizedBytes(kind, why, bytes))
  const given = envelope.kind === '' ? apiVersionOf(kind) : envelope.apiVersion
  const version = given.slice(given.indexOf('/') + 1)
  return decodeProtobuf(kind.type, envelope, (why) =>
    badRequestError(`${envelope.kind || kind.kind} in version ${goQuote(version)} cannot be handled as a ${kind.kind}: ${why}`),
  )
}
