// Computes the object that a JSON patch, merge patch or strategic merge patch produces.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.jsonPatcher.applyJSPatch, smpPatcher.applyPatchToCurrentObject
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.strategicPatchObject, interpretStrategicMergePatchError
import {
  completeKind,
  isSameKind,
  keepReset,
  missingKindProblem,
  missingVersionProblem,
  otherInternalKindProblem,
  otherKindProblem,
  readGivenKind,
} from '../../api/machinery/decode/body.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import { findDuplicateFields, parseJson } from '../../api/machinery/decode/json.ts'
import { fieldErrorMessage, invalid, toCause } from '../../api/machinery/field-error.ts'
import { formatGoValue } from '../../api/machinery/go-text.ts'
import { isJsonObject, type JsonObject } from '../../api/machinery/json-object.ts'
import { apiVersionOf } from '../../api/machinery/kind.ts'
import { conversionProblem, typeMetaProblem } from '../../api/machinery/patch/conversion.ts'
import { applyJsonPatch, unknownFieldsOfJsonPatch } from '../../api/machinery/patch/json-patch.ts'
import { applyMergePatch } from '../../api/machinery/patch/merge-patch.ts'
import { showMerged, showPatched, showSorted } from '../../api/machinery/patch/shown-document.ts'
import { applyStrategicMergePatch } from '../../api/machinery/patch/strategic-merge.ts'
import { type BodyKind, findRegistered, type GroupVersionKind } from '../../api/machinery/scheme.ts'
import { badRequestError, failure, internalError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import { isTooDeep, mayBeTooDeep } from './json-depth.ts'
import type { FieldValidation, PatchFormat, PatchInput, PatchQuery } from './rest.ts'

type PlainFormat = Exclude<PatchFormat, 'apply'>
/** The reason may quote the document as it is shown. */
type Refuse = (why: string | ((document: string) => string)) => Error

/** The patched object: decoded, a deep copy, without defaults. Throws a StatusError. */
export function patchObject(
  kind: BodyKind,
  current: KubernetesObject,
  format: PlainFormat,
  input: PatchInput,
  query: PatchQuery,
): Writable<KubernetesObject> {
  const { fieldValidation = 'Warn', warn } = query
  const { patch, duplicates } = readPatch(format, input, fieldValidation)
  const original = current as JsonObject
  const patched =
    format === 'json'
      ? applyJsonPatch(original, patch, fieldValidation)
      : format === 'merge'
        ? applyMergePatch(original, patch, fieldValidation)
        : applyStrategicMergePatch(kind.type, original, patch)
  const problems = format === 'json' ? duplicates.map((duplicate) => `json patch ${duplicate}`) : [...duplicates]
  if (format === 'json' && fieldValidation !== 'Ignore') problems.push(...unknownFieldsOfJsonPatch(patch))
  const refuse: Refuse = (why) => {
    const shown = showPatch(kind, format, patch, patched)
    return refusePatch(shown, typeof why === 'string' ? why : why(shown))
  }
  const { object, unknownFields } = decodePatched(kind, format, patched, refuse)
  if (fieldValidation === 'Ignore') return object
  problems.push(...unknownFields)
  if (fieldValidation === 'Strict' && problems.length > 0) throw refuse(`strict decoding error: ${problems.join(', ')}`)
  if (warn !== undefined) for (const problem of problems) warn(problem)
  return object
}

function showPatch(kind: BodyKind, format: PlainFormat, patch: unknown, patched: unknown): string {
  if (format === 'strategic') return formatGoValue(patch)
  if (kind.customType !== undefined) return showSorted(patched)
  return format === 'merge' ? showMerged(patched, patch) : showPatched(patched, patch)
}

function decodePatched(kind: BodyKind, format: PlainFormat, patched: unknown, refuse: Refuse) {
  if (!isJsonObject(patched)) throw refuse("couldn't get version/kind; json parse error: the patched document is no object")
  try {
    // Kubernetes does not check the kind after a strategic merge patch.
    const named = format === 'strategic' ? kind : readPatchedKind(kind, patched, refuse)
    if (named === undefined) return decodeWithoutVersion(kind, patched)
    const problem = format === 'strategic' ? typeMetaProblem(patched) : undefined
    if (problem !== undefined) throw refuse(problem)
    const decoded = decode<Writable<KubernetesObject>>(kind.type, patched, { kind: named.kind, apiVersion: apiVersionOf(named) })
    keepReset(patched, decoded.object)
    return { object: decoded.object, unknownFields: isSameKind(named, kind) ? decoded.unknownFields : [] }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw refuse((format === 'strategic' ? conversionProblem(kind.type, patched) : undefined) ?? error.message)
  }
}

/**
 * The kind that the patched document names; undefined where it names no version. Only a custom resource may name another one than its own:
 * validation refuses it.
 */
function readPatchedKind(kind: BodyKind, patched: JsonObject, refuse: Refuse): GroupVersionKind | undefined {
  const given = readGivenKind(patched)
  if (typeof given === 'string') throw refuse(given)
  if (kind.customType !== undefined) {
    if (given.kind === '') throw refuse(missingKindProblem)
    if (given.version === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
    return given
  }
  if (given.version === '') {
    if (given.group !== '' && given.group !== kind.group) throw refuse(missingVersionProblem)
    if (given.kind !== '' && given.kind !== kind.kind) throw refuse(otherInternalKindProblem(kind, given.kind))
    return undefined
  }
  const named = completeKind(given, kind)
  if (isSameKind(named, kind)) return kind
  const other = findRegistered(named)
  // Throws a DecodeError where the document is no object of the kind that it names either.
  if (other !== undefined) decode(other.type, patched, { kind: named.kind, apiVersion: apiVersionOf(named) })
  throw refuse(otherKindProblem(kind, named))
}

/** Kubernetes then reads the document as its internal type, which has none of the names that fields have in JSON: the object is empty. */
function decodeWithoutVersion(kind: BodyKind, patched: JsonObject) {
  const object: Writable<KubernetesObject> = { kind: kind.kind, apiVersion: apiVersionOf(kind) }
  const names = Object.keys(patched).filter((name) => name !== 'kind' && name !== 'apiVersion')
  return { object, unknownFields: names.sort().map((name) => `unknown field ${JSON.stringify(name)}`) }
}

/** Kubernetes omits the kind from this message. */
function refusePatch(shown: string, why: string) {
  const error = invalid('patch', shown, why)
  return failure(422, 'Invalid', ` "" is invalid: ${fieldErrorMessage(error)}`, { causes: [toCause(error)] })
}

interface ReadPatch {
  readonly patch: unknown
  /** Messages about duplicate keys. */
  readonly duplicates: readonly string[]
}

function readPatch(format: PlainFormat, input: PatchInput, fieldValidation: FieldValidation): ReadPatch {
  if ('object' in input) return { patch: input.object, duplicates: [] }
  const { text } = input
  try {
    const patch = parseJson(text)
    if (mayBeTooDeep(text) && isTooDeep(patch)) throw new DecodeError('exceeded max depth')
    return { patch, duplicates: fieldValidation === 'Ignore' ? [] : findDuplicateFields(text, patch) }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const isStrict = fieldValidation !== 'Ignore'
    if (format === 'merge' && !isStrict) throw badRequestError('Invalid JSON Patch')
    throw badRequestError(format === 'strategic' || !isStrict ? error.message : `error decoding patch: ${error.message}`)
  }
}
