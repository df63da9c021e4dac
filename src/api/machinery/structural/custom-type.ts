// How the body of a request becomes an object of a custom kind.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver.schemaCoercingDecoder.Decode, unstructuredDefaulter.Default
import { once } from '../../../base/cached.ts'
import type { CustomDecoded, CustomDecodeOptions, CustomType } from '../custom-types.ts'
import { decode } from '../decode/decode.ts'
import { DecodeError } from '../decode/decode-error.ts'
import { fieldErrorMessage } from '../field-error.ts'
import type { JsonSchema } from './definition.ts'
import { coerceEmbedded } from './embedded.ts'
import { pruneRoot } from './prune.ts'
import { shapeOfResource } from './shape.ts'

const maxUnknownFields = 100
/** Of all paths of unknown fields together. Further ones are removed without a message: many fields in one with a long name would use up the memory. */
const maxPathCharacters = 50_000_000
const none: readonly string[] = Object.freeze([])

/** `schema` is asked for when the first object is decoded. */
export function customType(schema: () => JsonSchema | undefined, keepsUnknownFields: boolean): CustomType {
  return {
    decode: (value, options) => decodeObject(keepsUnknownFields ? undefined : schema(), keepsUnknownFields, value, options),
    shape: once(() => shapeOfResource(keepsUnknownFields ? { ...schema(), 'x-kubernetes-preserve-unknown-fields': true } : schema())),
  }
}

function decodeObject(
  schema: JsonSchema | undefined,
  keepsUnknownFields: boolean,
  value: unknown,
  { kind, apiVersion, keepsNulls = false }: CustomDecodeOptions,
): CustomDecoded {
  const typeMeta = { ...(kind !== undefined && { kind }), ...(apiVersion !== undefined && { apiVersion }) }
  if (value === null || value === undefined) return { object: typeMeta, unknownFields: none }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new DecodeError(
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    )
  let characters = 0
  const noteIn = (paths: string[]) => (path: string) => {
    characters += path.length
    if (characters <= maxPathCharacters) paths.push(path)
  }
  const undeclared: string[] = []
  const given = value as Record<string, unknown>
  const {
    kind: _,
    apiVersion: __,
    metadata,
    ...rest
  } = keepsUnknownFields ? { ...given } : pruneRoot(schema, given, keepsNulls, noteIn(undeclared))
  const embedded: string[] = []
  const problem = schema && coerceEmbedded(schema, rest, '', noteIn(embedded))
  if (problem !== undefined) throw new DecodeError(fieldErrorMessage(problem))
  const decoded = metadata === undefined || metadata === null ? undefined : decodeMetadata(metadata)
  const unknown = [
    ...[...(decoded?.unknownFields ?? none)].sort(),
    ...[...undeclared.sort(), ...embedded.sort()].slice(0, maxUnknownFields).map((path) => `unknown field ${JSON.stringify(path)}`),
  ]
  return {
    object: { ...typeMeta, ...(decoded !== undefined && { metadata: decoded.object }), ...rest },
    unknownFields: unknown.length === 0 ? none : unknown.slice(0, maxUnknownFields),
  }
}

function decodeMetadata(metadata: unknown): CustomDecoded {
  const { object, unknownFields } = decode('meta.ObjectMeta', metadata)
  return { object, unknownFields: unknownFields.map((problem) => problem.replace('"', '"metadata.')) }
}
