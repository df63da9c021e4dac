// The write pipeline. Every create, update and patch goes through these steps, whether it comes from a client over HTTP, a
// controller in this process, or a simulation. The requests differ only in `decode`, which produces the next object.
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.create, Store.Update
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.createHandler, UpdateResource
import type { Kind } from '../../api/machinery/kind.ts'
import {
  alreadyExistsError,
  conflictError,
  failure,
  generateNameConflictError,
  isStatusError,
  notFoundError,
  objectModified,
  StatusError,
} from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import { RevisionConflictError, type StoredRecord } from '../../store/store.ts'
import { awaitObjects, chargeQuotas } from './admission.ts'
import { mutateByConfiguration, validateByConfiguration } from './configured-admission.ts'
import { convertRecords } from './conversion.ts'
import { removeObject, storeObject, unstoredEntry } from './draft.ts'
import { type Entry, objectOf } from './entry.ts'
import { isUnchanged } from './object-changes.ts'
import { registryKeyOf } from './registry-key.ts'
import { parseUintProblem } from './resource-version.ts'
import type { WriteOptions } from './rest.ts'
import { entryOf, keyOf, type WriteScope } from './scope.ts'
import { requireRules } from './update-rules.ts'
import { momentOf, type NewObject, type Write } from './write-steps.ts'

interface WriteRequest {
  readonly kind: Kind
  readonly namespace: string
  /** Undefined for a POST, whose object has the name. */
  readonly name: string | undefined
  readonly subresource: string | undefined
  readonly options: WriteOptions
  /** Whether a missing object is created. */
  readonly mayCreate: boolean
  /** The uid that the stored object must have. */
  readonly uid?: string | undefined
  /**
   * Whether the body is a whole object: an invalid body is refused even if there is no object to replace, and the uid in the body is
   * the one that the stored object must have.
   */
  readonly replaces?: boolean
  /** Whether `decode` brings metadata.managedFields up to date, as an apply does. */
  readonly tracksFields?: boolean
  /**
   * Returns the requested object, decoded and not shared with `current` except for parts that no step changes in place, or throws a
   * StatusError. Called again after a conflict with another writer.
   */
  decode(current: KubernetesObject | undefined): Writable<KubernetesObject>
}

/** `created` says whether the object is new. */
export interface WrittenEntry {
  readonly entry: Entry
  readonly created: boolean
}

const maxNameTries = 8
// Each failed attempt lost against a successful write, so that the limit is reached only against writers that never stop.
const maxTries = 1000

export function write(scope: WriteScope, request: WriteRequest): Promise<WrittenEntry> {
  const { kind, namespace, name } = request
  if (name === undefined) return createNamed(scope, request)
  const key = keyOf(kind, namespace, name)
  // A webhook may itself write the object, and must not wait for the write that waits for it.
  if (scope.admission.dynamic.isActive) return writeUntilStored(scope, key, name, request)
  return scope.writes.run(key, () => writeUntilStored(scope, key, name, request))
}

/** A generated name may exist already; then another one is tried. */
async function createNamed(scope: WriteScope, request: WriteRequest): Promise<WrittenEntry> {
  for (let tries = 1; ; tries++) {
    const next = writeOf(scope, request, undefined, request.decode(undefined))
    const isNamed = Boolean(next.next.metadata.name) || !next.next.metadata.generateName
    try {
      return { entry: await run(next, undefined), created: true }
    } catch (error) {
      if (isNamed || tries === maxNameTries || !isStatusError(error, 'AlreadyExists')) throw error
    }
  }
}

async function writeUntilStored(scope: WriteScope, key: string, name: string, request: WriteRequest): Promise<WrittenEntry> {
  const { kind, mayCreate } = request
  const namespace = kind.namespaced ? request.namespace : ''
  for (let tries = 1; ; tries++) {
    const record = scope.store.get(key)
    if (kind.conversion !== undefined && record !== undefined) await convertRecords(scope, kind, [record])
    const current = record && entryOf(scope, kind, record).object
    const body = request.replaces ? request.decode(current) : undefined
    if (record === undefined && !mayCreate) throw notFoundError(kind, name)
    checkUid(kind, namespace, name, request.uid ?? body?.metadata?.uid, current?.metadata?.uid ?? '')
    try {
      const next = writeOf(scope, request, current, body ?? request.decode(current))
      return { entry: await run(next, record), created: record === undefined }
    } catch (error) {
      const hasLost = error instanceof RevisionConflictError || (record === undefined && isStatusError(error, 'AlreadyExists'))
      if (!hasLost) throw error
      if (tries === maxTries) throw conflictError(kind, name, objectModified)
    }
  }
}

function writeOf(scope: WriteScope, request: WriteRequest, current: KubernetesObject | undefined, next: Writable<KubernetesObject>): Write {
  const { kind, namespace, name, subresource, options, tracksFields = false } = request
  next.metadata ??= {}
  const pipeline = scope.pipelines.of(kind)
  return {
    scope,
    kind,
    pipeline,
    rules: requireRules(pipeline.rules, subresource),
    namespace: kind.namespaced ? namespace : '',
    name,
    subresource,
    options,
    current,
    next: next as NewObject,
    tracksFields,
    moment: momentOf(scope),
    cluster: scope.admission.cluster,
    random: scope.random,
  }
}

/** The steps between `decode` and the store: those of the kind, and the webhooks and policies between them, where any is configured. */
async function run(write: Write, record: StoredRecord | undefined): Promise<Entry> {
  const { pipeline, scope } = write
  const { behavior } = pipeline
  const { dynamic } = scope.admission
  const awaited = awaitObjects(write)
  if (awaited !== undefined) {
    await awaited
    write.moment = momentOf(scope)
  }
  for (const step of pipeline.beforeMutation) step(write)
  if (dynamic.isActive) {
    await mutateByConfiguration(write)
    // Webhooks take their time.
    write.moment = momentOf(scope)
  }
  if (behavior.compile !== undefined && write.subresource === undefined) await behavior.compile(write)
  for (const step of pipeline.afterMutation) step(write)
  if (dynamic.isActive) {
    await validateByConfiguration(write)
    write.allocateAgain?.()
  }
  const stored = record === undefined ? storeNew(write) : storeNext(write, record)
  return behavior.changed === undefined ? stored : stored.finally(behavior.changed)
}

async function storeNew(write: Write): Promise<Entry> {
  const { scope, kind, next, options } = write
  const { name = '', namespace = '', resourceVersion } = next.metadata
  const key = keyOf(kind, namespace, name)
  const release = chargeQuotas(write)
  try {
    if (options.dryRun) {
      const existing = scope.store.get(key)
      if (existing !== undefined) throw existsError(write, existing)
      return unstoredEntry(scope, kind, next, resourceVersion)
    }
    if (resourceVersion && resourceVersion !== '0' && parseUintProblem(resourceVersion) === undefined)
      throw failure(500, '', 'resourceVersion should not be set on objects to be created')
    return entryOf(scope, kind, await storeObject(scope, kind, key, 0, next))
  } catch (error) {
    throw error instanceof RevisionConflictError ? existsError(write, error.current) : error
  } finally {
    release()
  }
}

async function storeNext(write: Write, record: StoredRecord): Promise<Entry> {
  const { scope, kind, next, options } = write
  const current = write.current!
  if (isFinished(write, current)) {
    if (!options.dryRun) await removeObject(scope, kind, record)
    return unstoredEntry(scope, kind, next, current.metadata?.resourceVersion)
  }
  if (isUnchanged(next, current)) return entryOf(scope, kind, record)
  const release = chargeQuotas(write)
  try {
    if (options.dryRun) return unstoredEntry(scope, kind, next, current.metadata?.resourceVersion)
    return entryOf(scope, kind, await storeObject(scope, kind, record.key, record.revision, next))
  } finally {
    release()
  }
}

/** Whether the object is terminating and the write removes its last finalizer, which deletes it. */
function isFinished({ next, pipeline }: Write, current: KubernetesObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0 || !current.metadata?.deletionTimestamp) return false
  if ((current.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  return pipeline.behavior.isHeld?.(next) !== true
}

function checkUid(kind: Kind, namespace: string, name: string, uid: string | undefined, actual: string): void {
  if (uid === undefined || uid === '' || uid === actual) return
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`
  throw conflictError(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${registryKeyOf(kind, namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  )
}

function existsError({ kind, next }: Write, existing: StoredRecord | undefined): StatusError {
  const { name = '', generateName: base } = next.metadata
  const { status } = base ? generateNameConflictError(kind, name) : alreadyExistsError(kind, name)
  const isTerminating = existing !== undefined && objectOf(existing).metadata?.deletionTimestamp !== undefined
  return new StatusError(isTerminating ? { ...status, message: `object is being deleted: ${status.message}` } : status)
}
