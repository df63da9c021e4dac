// Decodes the body of a request as an object of the endpoint's kind, or throws the error of Kubernetes.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.createHandler, transformDecodeError
// Kubernetes: k8s.io/apimachinery/pkg/runtime/serializer/json.Serializer.Decode
import { isJsonObject } from '../json-object.ts'
import { apiVersionOf } from '../kind.ts'
import { type BodyKind, findRegistered, type GroupVersionKind } from '../scheme.ts'
import { badRequestError, type StatusError } from '../status-error.ts'
import { decode } from './decode.ts'
import { DecodeError } from './decode-error.ts'
import { findStrictProblems, parseJson } from './json.ts'

type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

interface Body<T> {
  /** With kind and apiVersion first. */
  readonly object: T
  /** Sentences for Warning headers. */
  readonly warnings: readonly string[]
}

/** Throws a StatusError of reason BadRequest. `known` is as in DecodeOptions. */
export function decodeBody<T = Record<string, unknown>>(
  kind: BodyKind,
  text: string,
  fieldValidation: FieldValidation,
  known?: object,
): Body<T> {
  const value = parseBody(kind, text)
  return decodeValue(
    kind,
    value,
    fieldValidation,
    { source: text, findProblems: (unknownFields) => findStrictProblems(text, value, unknownFields) },
    known,
  )
}

/** Throws a StatusError of reason BadRequest. */
function parseBody(kind: BodyKind, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw unrecognized(kind, `couldn't get version/kind; json parse error: ${error.message}`, () => text)
  }
}

interface ValueSource {
  /** The raw body, for messages that quote its beginning. */
  readonly source?: string
  /** Adds messages about duplicate keys, which a parsed value no longer shows, to those about unknown ones. */
  findProblems?(unknownFields: readonly string[]): readonly string[]
}

/** The same for a body that is parsed already, as YAML is. `known` is as in DecodeOptions. */
export function decodeValue<T = Record<string, unknown>>(
  kind: BodyKind,
  value: unknown,
  fieldValidation: FieldValidation,
  from: ValueSource = {},
  known?: object,
): Body<T> {
  const named = namesOwnKind(kind, value) ? kind : readGivenKind(value)
  const source = () => from.source ?? JSON.stringify(value) ?? ''
  if (typeof named === 'string') throw unrecognized(kind, named, source)
  if (kind.customType !== undefined) checkCustomKind(kind, named, source)
  const given = completeKind(named, kind)
  const cannotHandle = (why: string) =>
    badRequestError(`${given.kind} in version ${JSON.stringify(given.version)} cannot be handled as a ${kind.kind}: ${why}`)
  // Validation refuses a custom resource of another kind.
  const isExpected =
    isSameKind(given, kind) ||
    kind.customType !== undefined ||
    kind.otherVersions?.some((version) => isSameKind(given, { ...version, kind: kind.kind })) === true
  const sent = isExpected ? kind : findRegistered(given)
  if (sent === undefined) throw cannotHandle(otherKindProblem(kind, given))
  try {
    const { object, unknownFields } = decode<T>(sent.type, value, {
      kind: kind.customType === undefined ? kind.kind : given.kind,
      apiVersion: apiVersionOf(kind),
      ...(isExpected && known !== undefined && { known }),
    })
    if (!isExpected) throw wrongKind(kind, sent, cannotHandle)
    keepReset(value, object)
    if (fieldValidation === 'Ignore' || given.kind !== kind.kind) return { object, warnings: [] }
    const found = from.findProblems?.(unknownFields) ?? unknownFields
    const problems = found.length > 100 ? found.slice(0, 100) : found
    if (fieldValidation === 'Strict' && problems.length > 0) throw cannotHandle(`strict decoding error: ${problems.join(', ')}`)
    return { object, warnings: problems.flatMap(warningsOf) }
  } catch (error) {
    throw error instanceof DecodeError ? cannotHandle(error.message) : error
  }
}

/** A message about several lines of YAML is a warning for each. */
export const warningsOf = (problem: string): string[] =>
  problem.includes('\n')
    ? problem
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : [problem]

/** The kind that a document names, with missing parts empty, or why it cannot be read. */
export function readGivenKind(value: unknown): GroupVersionKind | string {
  const cannotRead = (what: string) => `couldn't get version/kind; json parse error: json: cannot unmarshal ${what}`
  if (typeof value !== 'object' || Array.isArray(value))
    return cannotRead(
      `${typeName(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    )
  const { kind, apiVersion } = (value ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown }
  for (const [name, one] of Object.entries({ apiVersion: apiVersion ?? '', kind: kind ?? '' }))
    if (typeof one !== 'string') return cannotRead(`${typeName(one)} into Go struct field .${name} of type string`)
  const text = (apiVersion ?? '') as string
  const [first = '', second, ...rest] = text === '/' ? [] : text.split('/')
  if (rest.length > 0) return `unexpected GroupVersion string: ${text}`
  return { kind: (kind ?? '') as string, group: second === undefined ? '' : first, version: second ?? first }
}

/** Missing parts are those of the endpoint. */
export function completeKind({ kind, group, version }: GroupVersionKind, expected: GroupVersionKind): GroupVersionKind {
  const usesOwnVersion = version === '' && (group === '' || group === expected.group)
  return {
    kind: kind || expected.kind,
    group: usesOwnVersion ? expected.group : group,
    version: usesOwnVersion ? expected.version : version,
  }
}

const namesOwnKind = (expected: BodyKind, value: unknown) =>
  isJsonObject(value) && value['kind'] === expected.kind && value['apiVersion'] === apiVersionOf(expected)

/** Nothing is assumed of a custom resource that does not name its kind. */
function checkCustomKind(expected: BodyKind, given: GroupVersionKind, source: () => string): void {
  if (given.kind === '') throw unrecognized(expected, missingKindProblem(source()), source)
  if (given.group !== expected.group || given.version !== expected.version) throw badRequestError(otherVersionProblem(given, expected))
}

export const missingKindProblem = (document: string) => `Object 'Kind' is missing in '${document}'`
export const missingVersionProblem = (document: string) => `Object 'apiVersion' is missing in '${document}'`

const otherVersionProblem = (given: GroupVersionKind, expected: BodyKind) =>
  `the API version in the data (${apiVersionOf(given)}) does not match the expected API version (${apiVersionOf(expected)})`

export const isSameKind = (one: GroupVersionKind, other: GroupVersionKind) =>
  one.group === other.group && one.version === other.version && one.kind === other.kind

const isList = ({ kind, ...version }: GroupVersionKind) =>
  kind.endsWith('List') && findRegistered({ kind: kind.slice(0, -'List'.length), ...version }) !== undefined

const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"'

/** The error for an object of the wrong kind. */
export function otherKindProblem(expected: BodyKind, given: GroupVersionKind): string {
  const registered = findRegistered(given)
  if (registered !== undefined && isSameInside(registered, expected)) return otherVersionProblem(given, expected)
  if (registered !== undefined || isList(given))
    return `converting (${given.version}.${given.kind}) to (${internalName(expected)}): unknown conversion`
  const wanted = JSON.stringify(apiVersionOf(given))
  return `no kind ${JSON.stringify(given.kind)} is registered for version ${wanted} ${scheme}`
}

/** The error for an object of the wrong kind that names no version: Kubernetes looks for it among its internal types. */
export function otherInternalKindProblem(expected: BodyKind, kind: string): string {
  const { group, version } = expected
  const given = findRegistered({ group, version, kind })
  const name = given === undefined ? `${internalPrefix(expected)}.${kind}` : internalName(given)
  if (given !== undefined || isList({ group, version, kind }))
    return `converting (${name}) to (${internalName(expected)}): unknown conversion`
  return `no kind ${JSON.stringify(kind)} is registered for the internal version of group ${JSON.stringify(group)} ${scheme}`
}

/** Decoding drops empty managedFields, but in a request they have a meaning: all ownership is to be reset. */
export function keepReset(value: unknown, object: unknown): void {
  const { metadata } = (value ?? {}) as { readonly metadata?: { readonly managedFields?: unknown } | null }
  const asked = metadata?.managedFields
  if (!Array.isArray(asked) || asked.length > 0) return
  const decoded = object as { metadata?: { managedFields?: readonly unknown[] } }
  if (decoded.metadata !== undefined) decoded.metadata.managedFields = []
}

function wrongKind(expected: BodyKind, given: BodyKind, cannotHandle: (why: string) => StatusError): StatusError {
  const problem = otherKindProblem(expected, given)
  return isSameInside(given, expected) ? badRequestError(problem) : cannotHandle(problem)
}

const isSameInside = (one: BodyKind, other: BodyKind) => internalName(one) === internalName(other)

/** Kubernetes' type behind all versions of a kind. The two Events are one there. */
const internalName = (kind: BodyKind) => `${internalPrefix(kind)}.${kind.kind}`

function internalPrefix({ type }: BodyKind): string {
  const [prefix = ''] = type.split(/[./]/, 1)
  return prefix === 'events' ? 'core' : prefix
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
}

const shownBytes = 30
const openingBrace = 0x7b

function unrecognized(expected: BodyKind, why: string, source: () => string): StatusError {
  return unrecognizedBytes(expected, why, new TextEncoder().encode(source().slice(0, shownBytes + 1)))
}

/** The refusal of a body that is no object. */
export const unrecognizedBytes = ({ kind }: BodyKind, why: string, bytes: Uint8Array): StatusError =>
  badRequestError(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(bytes)})`)

/** The beginning of the body: as it is when it looks like JSON, else in hexadecimal. */
function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const isLong = bytes.length > shownBytes
  const shown = bytes.subarray(0, shownBytes)
  const text =
    shown[0] === openingBrace ? new TextDecoder().decode(shown) : [...shown].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return isLong ? `${text} ...` : text
}
