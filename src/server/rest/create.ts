// create: a new object, under its own name or one that the server makes.

import type { Kind } from '../../api/kind.ts'
import { alreadyExistsError, failure, generateNameConflictError, invalidError, isStatusError, StatusError } from '../../api/status-error.ts'
import type { Service, Writable } from '../../api/types.ts'
import { validateObjectMeta } from '../../api/validation/metadata.ts'
import { formatTime } from '../../base/clock.ts'
import { randomUid } from '../../base/random.ts'
import { RevisionConflictError, type StoredRecord } from '../../store/store.ts'
import { admitCreate, chargeQuotas, checkCreate } from './admit.ts'
import type { Entry } from './entry.ts'
import { type NewObject, readInput } from './input.ts'
import { trackChange } from './managed-fields.ts'
import { generateName, settleNamespace } from './naming.ts'
import { dropDuplicateOwners } from './owner-references.ts'
import { parseUintProblem } from './resource-version.ts'
import type { Input, WriteOptions } from './rest.ts'
import { entryOf, keyOf, type Scope, strategyContext } from './scope.ts'
import { draftOf, shareSpec, unstoredAnswer } from './write.ts'

const generateNameTries = 8

export async function create(scope: Scope, kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<Entry> {
  for (let tries = 1; ; tries++) {
    const object = readInput(scope, kind, input, options)
    const isNamed = Boolean(object.metadata.name) || !object.metadata.generateName
    settleNamespace(object, kind.namespaced ? namespace : '')
    delete object.metadata.uid
    trackChange(scope, kind, undefined, object, undefined, options)
    try {
      return await createObject(scope, kind, object, options)
    } catch (error) {
      if (isNamed || tries === generateNameTries || !isStatusError(error, 'AlreadyExists')) throw error
    }
  }
}

/** An object that is decoded, defaulted and has its managedFields, and that no store knows yet. */
export async function createObject(scope: Scope, kind: Kind, object: NewObject, options: WriteOptions): Promise<Entry> {
  const { metadata } = object
  delete metadata.creationTimestamp
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  delete metadata.selfLink
  dropDuplicateOwners(object, options.warn)
  admitCreate(scope, kind, object)
  prepare(scope, kind, object)
  shareSpec(scope, kind, object)
  validate(scope, kind, object, options)
  checkCreate(scope, kind, object)
  const release = chargeQuotas(scope, kind, object, options.dryRun)
  try {
    if (kind.type === 'core.Service') scope.serviceAddresses.assign(object as Writable<Service>)
    return await storeNew(scope, kind, object, options)
  } finally {
    release()
  }
}

async function storeNew(scope: Scope, kind: Kind, object: NewObject, options: WriteOptions): Promise<Entry> {
  const { metadata } = object
  const { name = '', namespace = '' } = metadata
  const key = keyOf(kind, namespace, name)
  const there = scope.store.get(key)
  if (there !== undefined) throw existsError(scope, kind, object, there)
  if (options.dryRun) return unstoredAnswer(scope, kind, object)
  if (metadata.resourceVersion && metadata.resourceVersion !== '0' && parseUintProblem(metadata.resourceVersion) === undefined)
    throw failure(500, '', 'resourceVersion should not be set on objects to be created')
  try {
    return entryOf(scope, kind, await scope.store.put(key, 0, draftOf(scope, kind, object, true)))
  } catch (error) {
    if (error instanceof RevisionConflictError) throw existsError(scope, kind, object, error.current)
    throw error
  }
}

function prepare(scope: Scope, kind: Kind, object: NewObject): void {
  const { metadata } = object
  const context = strategyContext(scope)
  metadata.creationTimestamp = formatTime(context.nowMs)
  metadata.uid = randomUid(scope.random)
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, scope.random)
  if (kind.strategy.generation) metadata.generation = 1
  else delete metadata.generation
  kind.strategy.prepareForCreate?.(object, context)
}

function validate(scope: Scope, kind: Kind, object: NewObject, { warn }: WriteOptions): void {
  const context = strategyContext(scope)
  const errors = validateObjectMeta(object.metadata, kind.namespaced, kind.strategy.names)
  errors.push(...(kind.strategy.validate?.(object, context) ?? []))
  if (errors.length > 0) throw invalidError(kind, object.metadata.name ?? '', errors)
  if (warn !== undefined) for (const sentence of kind.strategy.warnings?.(object, undefined, context) ?? []) warn(sentence)
}

function existsError(scope: Scope, kind: Kind, { metadata }: NewObject, there: StoredRecord | undefined): StatusError {
  const { name = '', generateName: base } = metadata
  const { status } = base ? generateNameConflictError(kind, name) : alreadyExistsError(kind, name)
  const isLeaving = there !== undefined && entryOf(scope, kind, there).object.metadata?.deletionTimestamp !== undefined
  return new StatusError(isLeaving ? { ...status, message: `object is being deleted: ${status.message}` } : status)
}
