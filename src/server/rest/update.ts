// update: an object takes the place of the current one. PUT, every kind of patch, and the subresources that change the
// object itself all come through here; they differ in how the next object is made of the current one.

import { invalid } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { conflictError, failure, invalidError, isStatusError, notFoundError, objectModified } from '../../api/status-error.ts'
import type { KubernetesObject, Service, Writable } from '../../api/types.ts'
import { validateMetadataOnUpdate } from '../../api/validation/metadata.ts'
import { RevisionConflictError, type StoredRecord } from '../../store/store.ts'
import { admitUpdate, chargeQuotas, checkUpdate } from './admit.ts'
import { createObject, dropSystemFields } from './create.ts'
import type { Entry } from './entry.ts'
import { type NewObject, readUpdate } from './input.ts'
import { trackChange } from './managed-fields.ts'
import { checkName, settleNamespace } from './naming.ts'
import { dropDuplicateOwners } from './owner-references.ts'
import { parseUintProblem } from './resource-version.ts'
import type { Input, WriteOptions } from './rest.ts'
import { isUnchanged } from './same-object.ts'
import { entryOf, keyOf, type Scope, strategyContext } from './scope.ts'
import { updateTrusted } from './trusted-update.ts'
import { countGeneration, noSuchEndpointError, rulesOf, type UpdateRules, type UpdateTarget } from './update-rules.ts'
import { draftOf, lastDraftOf, unstoredAnswer } from './write.ts'

/** `created` says whether the object is new. */
export interface Updated {
  readonly entry: Entry
  readonly created: boolean
}

export interface UpdatePlan {
  /** A fresh object each time: the change is planned again when another writer was faster. */
  next(current: KubernetesObject | undefined): NewObject
  /** The object must be this one. */
  readonly uid?: string
  /** A missing object is created. */
  readonly mayCreate: boolean
}

// Each try loses against a write that took place, so this many in a row are a writer that never rests.
const mostTries = 1000

export async function update(scope: Scope, target: UpdateTarget, input: Input, options: WriteOptions): Promise<Updated> {
  const { kind, namespace, name, subresource } = target
  const trusted = options.isTrusted ? await updateTrusted(scope, target, input) : undefined
  if (trusted !== undefined) return { entry: trusted, created: false }
  const read = () => {
    const record = scope.store.get(keyOf(kind, namespace, name))
    const stored = record && entryOf(scope, kind, record).object
    const object = readUpdate(scope, kind, input, options, stored, subresource === 'status')
    settleNamespace(object, kind.namespaced ? namespace : '')
    checkName(object, name)
    dropDuplicateOwners(object, options.warn)
    return object
  }
  let first: NewObject | undefined = read()
  const { uid } = first.metadata
  return applyUpdate(scope, target, options, {
    mayCreate: subresource === undefined && kind.strategy.createOnUpdate === true,
    ...(uid && { uid }),
    next(current) {
      const next = first ?? read()
      first = undefined
      trackChange(scope, kind, current, next, subresource, options)
      return next
    },
  })
}

export function applyUpdate(scope: Scope, target: UpdateTarget, options: WriteOptions, plan: UpdatePlan): Promise<Updated> {
  const key = keyOf(target.kind, target.namespace, target.name)
  return scope.writes.run(key, () => tryUntilWritten(scope, key, target, options, plan))
}

async function tryUntilWritten(scope: Scope, key: string, target: UpdateTarget, options: WriteOptions, plan: UpdatePlan): Promise<Updated> {
  const { kind, name } = target
  for (let tries = 1; ; tries++) {
    const record = scope.store.get(key)
    try {
      if (record !== undefined) return { entry: await replace(scope, target, options, plan, record), created: false }
      if (!plan.mayCreate) throw notFoundError(kind, name)
      checkUid(plan, kind, key, name, '')
      const next = plan.next(undefined)
      // The version of an object that has gone meanwhile holds nobody back.
      delete next.metadata.resourceVersion
      dropSystemFields(next)
      return { entry: await createObject(scope, kind, next, options), created: true }
    } catch (error) {
      const lost = error instanceof RevisionConflictError || (record === undefined && isStatusError(error, 'AlreadyExists'))
      if (!lost) throw error
      if (tries === mostTries) throw conflictError(kind, name, objectModified)
    }
  }
}

async function replace(scope: Scope, target: UpdateTarget, options: WriteOptions, plan: UpdatePlan, record: StoredRecord): Promise<Entry> {
  const { kind, name, subresource } = target
  const entry = entryOf(scope, kind, record)
  const current = entry.object
  checkUid(plan, kind, record.key, name, current.metadata?.uid ?? '')
  const next = plan.next(current)
  admitUpdate(kind, next, current, subresource)
  checkVersion(kind, name, next, record.revision)
  prepareUpdate(scope, target, next, current)
  validateUpdate(scope, target, next, current, options)
  if (subresource === undefined) checkUpdate(scope, kind, next)
  if (subresource === undefined && kind.type === 'core.Service') scope.serviceAddresses.assign(next as Writable<Service>)
  if (isFinished(kind, next, current)) {
    if (!options.dryRun) await scope.store.remove(record.key, record.revision, lastDraftOf(scope, kind, record))
    return unstoredAnswer(scope, kind, next, current.metadata?.resourceVersion)
  }
  if (isUnchanged(next, current)) return entry
  const release = chargeQuotas(scope, kind, next, options.dryRun, current, subresource)
  try {
    if (options.dryRun) return unstoredAnswer(scope, kind, next, current.metadata?.resourceVersion)
    return entryOf(scope, kind, await scope.store.put(record.key, record.revision, draftOf(scope, kind, next)))
  } finally {
    release()
  }
}

function checkUid({ uid }: UpdatePlan, kind: Kind, key: string, name: string, actual: string): void {
  if (uid === undefined || uid === actual) return
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`
  throw conflictError(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  )
}

/** The resourceVersion of an update, where it has one, is the version that it is meant for. */
function checkVersion(kind: Kind, name: string, { metadata }: NewObject, revision: number): void {
  const asked = metadata.resourceVersion ?? ''
  const problem = asked === '' ? undefined : parseUintProblem(asked)
  if (problem !== undefined) throw failure(500, '', problem)
  if (asked === '' || Number(asked) === 0) {
    if (kind.strategy.unconditionalUpdate === false)
      throw invalidError({ group: kind.group, kind: kind.plural }, name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    metadata.resourceVersion = String(revision)
  } else if (Number(asked) !== revision) throw conflictError(kind, name, objectModified)
}

function prepareUpdate(scope: Scope, { kind, namespace, subresource }: UpdateTarget, next: NewObject, current: KubernetesObject): void {
  settleNamespace(next, kind.namespaced ? namespace : '')
  const rules = requireRules(kind, subresource)
  const generation = current.metadata?.generation
  keep(next, 'generation', generation)
  rules.prepare(next, current, strategyContext(scope))
  const metadata = next.metadata
  metadata.uid ||= current.metadata?.uid ?? ''
  keep(next, 'creationTimestamp', current.metadata?.creationTimestamp)
  if (current.metadata?.deletionTimestamp) metadata.deletionTimestamp = current.metadata.deletionTimestamp
  if (current.metadata?.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= current.metadata.deletionGracePeriodSeconds
  delete metadata.selfLink
  if (rules.countsGeneration && kind.strategy.generation) countGeneration(kind, next, current)
}

function keep<F extends 'generation' | 'creationTimestamp'>(
  { metadata }: NewObject,
  field: F,
  value: NewObject['metadata'][F] | undefined,
): void {
  if (value === undefined) delete metadata[field]
  else metadata[field] = value
}

function validateUpdate(scope: Scope, target: UpdateTarget, next: NewObject, current: KubernetesObject, { warn }: WriteOptions): void {
  const { kind, subresource } = target
  const context = strategyContext(scope)
  const errors = validateMetadataOnUpdate(next.metadata, current.metadata, kind.namespaced)
  errors.push(...requireRules(kind, subresource).validate(next, current, context))
  if (errors.length > 0) throw invalidError(kind, next.metadata.name ?? '', errors)
  if (warn !== undefined && subresource === undefined)
    for (const sentence of kind.strategy.warnings?.(next, current, context) ?? []) warn(sentence)
}

function requireRules(kind: Kind, subresource: string | undefined): UpdateRules {
  const rules = rulesOf(kind, subresource)
  if (rules === undefined) throw noSuchEndpointError()
  return rules
}

/** The last finalizer of an object that is being deleted has gone: so does the object. */
function isFinished(kind: Kind, next: NewObject, current: KubernetesObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0 || !current.metadata?.deletionTimestamp) return false
  if ((current.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  const { spec } = next as { spec?: { finalizers?: readonly string[] } }
  return kind.kind !== 'Namespace' || kind.group !== '' || (spec?.finalizers?.length ?? 0) === 0
}
