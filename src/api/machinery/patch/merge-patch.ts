// JSON merge patch (RFC 7386).
// Kubernetes: gopkg.in/evanphx/json-patch.v4.MergePatch, doMergePatch, mergeDocs

import { isJsonObject, type JsonObject, ownValue, setOwnValue, withoutNulls } from '../json-object.ts'
import { badRequestError } from '../status-error.ts'
import { type FieldValidation, malformedPatchError } from './patch-error.ts'

/** The patched object. `object` is not changed; the result shares unpatched parts with it. */
export function applyMergePatch(object: JsonObject, patch: unknown, validation: FieldValidation = 'Warn'): unknown {
  if (isJsonObject(patch)) return mergeObjects(object, patch)
  if (validation !== 'Ignore' && patch !== null) throw malformedPatchError(patch, 'map[string]interface {}', 'error decoding patch: ')
  if (Array.isArray(patch)) return withoutNulls(patch)
  throw badRequestError('Invalid JSON Patch')
}

function mergeObjects(object: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...object }
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    if (value === null) delete result[key]
    else setOwnValue(result, key, mergeValues(ownValue(result, key), value))
  }
  return result
}

function mergeValues(current: unknown, patch: unknown): unknown {
  if (!isJsonObject(current)) return withoutNulls(patch)
  return isJsonObject(patch) ? mergeObjects(current, patch) : patch
}
