// Objects on their way in: decoded, and with everything filled in that the user may leave out.
import { type BodyKind, decodeBody, decodeValue } from '../../api/decode/body.ts'
import { findDuplicateFields } from '../../api/decode/json.ts'
import { decodeProtobuf, readEnvelope } from '../../api/decode/protobuf.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import type { Input, WriteOptions } from './rest.ts'
import { type Scope, strategyContext } from './scope.ts'

export type NewObject = Writable<KubernetesObject> & { metadata: Writable<NonNullable<KubernetesObject['metadata']>> }

/**
 * A fresh object, which nobody else has: the verbs change it in place. What is equal in `known`, which the server has
 * decoded before, it shares with it, below its metadata, its status and itself. Throws a StatusError (400).
 */
export function readBody<T = KubernetesObject>(kind: BodyKind, input: Input, options: WriteOptions, known?: object): Writable<T> {
  const { fieldValidation = 'Warn', warn } = options
  const { object, warnings } =
    'text' in input
      ? decodeBody<Writable<T>>(kind, input.text, fieldValidation, known)
      : 'protobuf' in input
        ? decodeValue<Writable<T>>(kind, decodeProtobuf(kind.type, readEnvelope(input.protobuf)), 'Ignore')
        : decodeValue<Writable<T>>(kind, input.object, fieldValidation, {}, known)
  if (warn !== undefined) for (const warning of warnings) warn(warning)
  return object
}

export function readInput(scope: Scope, kind: Kind, input: Input, options: WriteOptions): NewObject {
  return withDefaults(scope, kind, readBody(kind, input, options))
}

/**
 * The same for a text that is parsed already. A spec that is equal to that of an earlier one becomes `spec`, which that one
 * became. It is understood when nothing in it was ignored, or may have been.
 */
export function readParsed(
  scope: Scope,
  kind: Kind,
  text: string,
  value: unknown,
  { fieldValidation = 'Warn', warn }: WriteOptions,
  spec: object | undefined,
): { readonly object: NewObject; readonly isUnderstood: boolean } {
  const source = { source: text, findDuplicates: () => findDuplicateFields(text, value) }
  const known = spec && { spec }
  const given = known === undefined ? value : { ...(value as object), ...known }
  const { object, warnings } = decodeValue<Writable<KubernetesObject>>(kind, given, fieldValidation, source, known)
  if (warn !== undefined) for (const warning of warnings) warn(warning)
  if (known === undefined)
    return { object: withDefaults(scope, kind, object), isUnderstood: warnings.length === 0 && fieldValidation !== 'Ignore' }
  object.metadata ??= {}
  kind.strategy.defaultBesideSpec?.(object, strategyContext(scope))
  return { object: object as NewObject, isUnderstood: true }
}

type WithSpec = KubernetesObject & { readonly spec?: unknown; readonly status?: unknown }

/** The same for an object that takes the place of `current`. What it shares with it is neither decoded nor defaulted again. */
export function readUpdate(
  scope: Scope,
  kind: Kind,
  input: Input,
  options: WriteOptions,
  current: WithSpec | undefined,
  isStatus: boolean,
): NewObject {
  if (current === undefined) return readInput(scope, kind, input, options)
  const { defaultBesideSpec } = kind.strategy
  // Only a write of the status leaves the spec as it is: others fill in and bring back fields in place.
  if (!isStatus || defaultBesideSpec === undefined) {
    const { metadata, status } = current
    return withDefaults(scope, kind, readBody(kind, input, options, { metadata, status }))
  }
  const object = readBody<WithSpec>(kind, input, options, current)
  if (object.spec !== current.spec) return withDefaults(scope, kind, readBody(kind, input, options))
  object.metadata ??= {}
  defaultBesideSpec(object, strategyContext(scope))
  return object as NewObject
}

/** Fills in the defaults of the kind, in place. */
export function withDefaults(scope: Scope, kind: Kind, object: Writable<KubernetesObject>): NewObject {
  object.metadata ??= {}
  kind.strategy.default?.(object, strategyContext(scope))
  return object as NewObject
}
