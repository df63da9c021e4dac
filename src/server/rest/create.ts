// create: a new object, under its own name or one that the server makes.

import { parseBody } from '../../api/decode/body.ts'
import type { Kind } from '../../api/kind.ts'
import { type Creation, creationOf, creationWithSpec } from '../../api/managed-fields/creation.ts'
import { alreadyExistsError, failure, generateNameConflictError, invalidError, isStatusError, StatusError } from '../../api/status-error.ts'
import type { Pod, Service, Writable } from '../../api/types.ts'
import { validateObjectMeta } from '../../api/validation/metadata.ts'
import { formatTime } from '../../base/clock.ts'
import { randomUid } from '../../base/random.ts'
import { RevisionConflictError, type StoredRecord } from '../../store/store.ts'
import { admitCreate, chargeQuotas, checkCreate, readPodRules } from './admit.ts'
import type { Entry } from './entry.ts'
import { type NewObject, readInput, readParsed } from './input.ts'
import { trackChange } from './managed-fields.ts'
import { generateName, settleNamespace } from './naming.ts'
import { dropDuplicateOwners } from './owner-references.ts'
import type { PodMould } from './pod-moulds.ts'
import { parseUintProblem } from './resource-version.ts'
import type { Input, WriteOptions } from './rest.ts'
import { entryOf, keyOf, type Scope, strategyContext } from './scope.ts'
import { castDraft, draftOf, shareSpec, unstoredAnswer } from './write.ts'

const generateNameTries = 8
/** A longer text is seldom sent twice, and would be held for long. */
const mostMouldCharacters = 32_768

export async function create(scope: Scope, kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<Entry> {
  if (kind.type === 'core.Pod' && 'text' in input) return createPod(scope, kind, namespace, input.text, options)
  return createNamed(scope, kind, namespace, options, () => {
    const object = readInput(scope, kind, input, options)
    dropSystemFields(object)
    return { object }
  })
}

/** What the server says of a new object, whatever its writer says. */
export function dropSystemFields({ metadata }: NewObject): void {
  delete metadata.creationTimestamp
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  delete metadata.selfLink
}

/** A pod that is sent again under another name takes the short way. */
function createPod(scope: Scope, kind: Kind, namespace: string, text: string, options: WriteOptions): Promise<Entry> {
  const value = parseBody(kind, text)
  return createNamed(scope, kind, namespace, options, () => {
    const rules = readPodRules(scope, namespace)
    const found = scope.moulds.find(namespace, value, rules)
    const { object, isUnderstood } = readParsed(scope, kind, text, value, options, found?.mould.spec)
    dropSystemFields(object)
    if (found?.isWhole) return { object, mould: found.mould, creation: found.mould.creation, isCast: true }
    if (found !== undefined) {
      // Of the spec, what was sent or defaulted is owned: the one at hand is past that.
      const { spec: _, ...rest } = object as Pod
      return { object, mould: found.mould, creation: creationWithSpec(kind.type, rest, found.mould.creation) }
    }
    const creation = creationOf(kind.type, object)
    const stored = () => scope.moulds.keep(namespace, value, rules, object as Pod, creation)
    return { object, creation, ...(isUnderstood && !options.dryRun && text.length <= mostMouldCharacters && { stored }) }
  })
}

interface ReadObject {
  readonly object: NewObject
  /** What is known of it already. */
  readonly mould?: PodMould
  /** Nothing but its name is its own. */
  readonly isCast?: boolean
  readonly creation?: Creation
  /** Called when it is stored. */
  stored?(): void
}

async function createNamed(scope: Scope, kind: Kind, namespace: string, options: WriteOptions, read: () => ReadObject): Promise<Entry> {
  for (let tries = 1; ; tries++) {
    const { object, mould, isCast, creation, stored } = read()
    const isNamed = Boolean(object.metadata.name) || !object.metadata.generateName
    settleNamespace(object, kind.namespaced ? namespace : '')
    delete object.metadata.uid
    const last = isCast ? mould?.last : undefined
    if (last?.manager === options.manager && last.time === formatTime(scope.clock.now()))
      object.metadata.managedFields = last.metadata.managedFields as typeof object.metadata.managedFields
    else trackChange(scope, kind, undefined, object, undefined, options, creation)
    try {
      const entry = await createObject(scope, kind, object, options, mould, isCast)
      stored?.()
      return entry
    } catch (error) {
      if (isNamed || tries === generateNameTries || !isStatusError(error, 'AlreadyExists')) throw error
    }
  }
}

/** An object that is decoded, defaulted and has its managedFields and no system fields, and that no store knows yet. */
export async function createObject(
  scope: Scope,
  kind: Kind,
  object: NewObject,
  options: WriteOptions,
  mould?: PodMould,
  isCast = false,
): Promise<Entry> {
  dropDuplicateOwners(object, options.warn)
  admitCreate(scope, kind, object, mould !== undefined)
  prepare(scope, kind, object, mould)
  if (mould === undefined) shareSpec(scope, kind, object)
  validate(scope, kind, object, options)
  checkCreate(scope, kind, object)
  const release = chargeQuotas(scope, kind, object, options.dryRun)
  try {
    if (kind.type === 'core.Service') scope.serviceAddresses.assign(object as Writable<Service>)
    return await storeNew(scope, kind, object, options, isCast ? mould : undefined)
  } finally {
    release()
  }
}

async function storeNew(scope: Scope, kind: Kind, object: NewObject, options: WriteOptions, mould: PodMould | undefined): Promise<Entry> {
  const { metadata } = object
  const { name = '', namespace = '' } = metadata
  const key = keyOf(kind, namespace, name)
  const there = scope.store.get(key)
  if (there !== undefined) throw existsError(scope, kind, object, there)
  if (options.dryRun) return unstoredAnswer(scope, kind, object, metadata.resourceVersion)
  if (metadata.resourceVersion && metadata.resourceVersion !== '0' && parseUintProblem(metadata.resourceVersion) === undefined)
    throw failure(500, '', 'resourceVersion should not be set on objects to be created')
  try {
    const draft = mould === undefined ? draftOf(scope, kind, object, true) : castDraft(scope, kind, object, mould, options.manager)
    return entryOf(scope, kind, await scope.store.put(key, 0, draft))
  } catch (error) {
    if (error instanceof RevisionConflictError) throw existsError(scope, kind, object, error.current)
    throw error
  }
}

function prepare(scope: Scope, kind: Kind, object: NewObject, mould: PodMould | undefined): void {
  const { metadata } = object
  const context = strategyContext(scope)
  metadata.creationTimestamp = formatTime(context.nowMs)
  metadata.uid = randomUid(scope.random)
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, scope.random)
  if (kind.strategy.generation) metadata.generation = 1
  if (mould === undefined) kind.strategy.prepareForCreate?.(object, context)
  else (object as Writable<Pod>).status = mould.status as Writable<Pod>['status']
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
