// metadata.managedFields for updates and server-side apply.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.FieldManager.Update, FieldManager.UpdateNoErrors
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.managerOrUserAgent, prefixFromUserAgent

import { warningsOf } from '../../api/machinery/decode/body.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import { findDuplicateFields, parseJson } from '../../api/machinery/decode/json.ts'
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { applyServerSide, describeApplied, describeKind } from '../../api/machinery/managed-fields/apply.ts'
import { trackUpdate } from '../../api/machinery/managed-fields/update.ts'
import { conversionProblem } from '../../api/machinery/patch/conversion.ts'
import { malformedPatchError } from '../../api/machinery/patch/patch-error.ts'
import type { BodyKind } from '../../api/machinery/scheme.ts'
import { badRequestError, failure } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, ManagedFieldsEntry, Writable } from '../../api/types.ts'
import { isTooDeep, mayBeTooDeep } from './json-depth.ts'
import type { PatchInput, PatchQuery, WriteOptions } from './rest.ts'
import type { NewObject } from './write-steps.ts'

/** Updates `next.metadata.managedFields` for a write other than an apply. */
export function trackChange(
  now: string,
  kind: BodyKind & Partial<Pick<Kind, 'strategy'>>,
  current: KubernetesObject | undefined,
  next: NewObject,
  subresource: string | undefined,
  { manager }: Pick<WriteOptions, 'manager'>,
): void {
  const before = current?.metadata?.managedFields
  // A writer that omits managedFields keeps them.
  if (before !== undefined) next.metadata.managedFields ??= before as Writable<ManagedFieldsEntry>[]
  const managedFields = trackUpdate({
    typeName: kind.type,
    old: current,
    next,
    manager,
    apiVersion: apiVersionOf(kind),
    subresource,
    now,
    resetFields: kind.strategy?.resetFields,
  })
  if (managedFields === undefined) delete next.metadata.managedFields
  else next.metadata.managedFields = managedFields as Writable<ManagedFieldsEntry>[]
}

/** The result of a server-side apply: a deep copy, without defaults. Throws a StatusError. */
export function applyConfiguration(
  now: string,
  kind: Kind,
  current: KubernetesObject | undefined,
  input: PatchInput,
  subresource: string | undefined,
  { manager, force = false, fieldValidation = 'Warn', warn }: PatchQuery,
): Writable<KubernetesObject> {
  const { applied, duplicates } = readConfiguration(input)
  const object = applyServerSide({
    typeName: kind.type,
    resource: kind,
    live: current,
    applied,
    manager,
    force,
    subresource,
    now,
    resetFields: kind.strategy.resetFields,
  })
  if (duplicates.length > 0 && fieldValidation === 'Strict') throw badRequestError(`error strict decoding YAML: ${duplicates.join(', ')}`)
  if (fieldValidation === 'Warn') for (const warning of duplicates.flatMap(warningsOf)) warn?.(warning)
  try {
    // Kubernetes' decoder, which drops nulls, does not read what an apply has merged.
    const options = { kind: kind.kind, apiVersion: apiVersionOf(kind), keepsNulls: true }
    return decode<Writable<KubernetesObject>>(kind.type, object, options).object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const problem = (kind.customType === undefined ? conversionProblem(kind.type, object) : undefined) ?? error.message
    const conversion = `unable to convert unstructured object to ${describeKind(kind)}: ${problem}`
    throw failure(500, '', `failed to convert new object (${describeApplied(kind, applied)}) to proper version: ${conversion}`)
  }
}

function readConfiguration(input: PatchInput): { readonly applied: unknown; readonly duplicates: readonly string[] } {
  const configuration = parseConfiguration(input)
  const { applied } = configuration
  if (applied !== null && applied !== undefined && !isJsonObject(applied))
    throw malformedPatchError(applied, 'map[string]interface {}', 'error decoding YAML: error unmarshaling JSON: while decoding JSON: ')
  return configuration
}

function parseConfiguration(input: PatchInput): { readonly applied: unknown; readonly duplicates: readonly string[] } {
  if ('object' in input) return { applied: input.object, duplicates: input.duplicates ?? [] }
  try {
    const applied = parseJson(input.text)
    if (mayBeTooDeep(input.text) && isTooDeep(applied)) throw new DecodeError('exceeded max depth')
    return { applied, duplicates: findDuplicateFields(input.text, applied) }
  } catch (error) {
    throw error instanceof DecodeError ? badRequestError(`error decoding YAML: ${error.message}`) : error
  }
}
