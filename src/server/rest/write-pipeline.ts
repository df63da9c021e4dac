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
import { admit, awaitObjects, chargeQuotas, check } from './admission.ts'
import { checkSigner, setRequester } from './certificate-requests.ts'
import { checkExpressions, hasExpressions, mutateByConfiguration, validateByConfiguration } from './configured-admission.ts'
import { convertRecords } from './conversion.ts'
import { removeObject, storeObject, unstoredEntry } from './draft.ts'
import { type Entry, objectOf } from './entry.ts'
import { isUnchanged } from './object-changes.ts'
import { registryKeyOf } from './registry-key.ts'
import { parseUintProblem } from './resource-version.ts'
import type { WriteOptions } from './rest.ts'
import { checkEscalation } from './role-escalation.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'
import {
  allocate,
  allocateAgain,
  checkVersion,
  fillDefaults,
  momentOf,
  type NewObject,
  prepare,
  setIdentity,
  shareParts,
  trackFields,
  validate,
  type Write,
} from './write-steps.ts'

type Step = (write: Write) => void

/** The steps between `decode` and the store, in order. Each changes the next object or refuses it. */
const firstSteps: readonly Step[] = [
  shareParts, // equal specs, labels and owners of pods become one object
  fillDefaults, // fields that the writer may omit
  setIdentity, // name, namespace and owners, as the request says
  setRequester, // who requests a certificate
  trackFields, // metadata.managedFields
  admit, // admission plugins that may change the object
]
// Here mutating policies and webhooks are consulted, where any is configured.
const middleSteps: readonly Step[] = [
  checkSigner, // who may approve or sign a certificate
  checkEscalation, // roles and bindings grant no more than the writer has
  checkVersion, // metadata.resourceVersion of an update
  prepare, // fields that the server decides: uid, timestamps, generation, status
  allocate, // addresses of a Service
  validate, // metadata and the rules of the kind
  check, // admission plugins that only refuse
]
// Here validating policies and webhooks are consulted, where any is configured.
const lastSteps: readonly Step[] = [
  allocateAgain, // other addresses of a Service, where they are in use by now
]

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

export function write(scope: Scope, request: WriteRequest): Promise<WrittenEntry> {
  const { kind, namespace, name } = request
  if (name === undefined) return createNamed(scope, request)
  const key = keyOf(kind, namespace, name)
  // A webhook may itself write the object, and must not wait for the write that waits for it.
  if (scope.dynamicAdmission.isActive) return writeUntilStored(scope, key, name, request)
  return scope.writes.run(key, () => writeUntilStored(scope, key, name, request))
}

/** A generated name may exist already; then another one is tried. */
async function createNamed(scope: Scope, request: WriteRequest): Promise<WrittenEntry> {
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

async function writeUntilStored(scope: Scope, key: string, name: string, request: WriteRequest): Promise<WrittenEntry> {
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

function writeOf(scope: Scope, request: WriteRequest, current: KubernetesObject | undefined, next: Writable<KubernetesObject>): Write {
  const { kind, namespace, name, subresource, options, tracksFields = false } = request
  next.metadata ??= {}
  return {
    scope,
    kind,
    namespace: kind.namespaced ? namespace : '',
    name,
    subresource,
    options,
    current,
    next: next as NewObject,
    tracksFields,
    moment: momentOf(scope),
    cluster: scope.admission,
    random: scope.random,
  }
}

async function run(write: Write, record: StoredRecord | undefined): Promise<Entry> {
  const { dynamicAdmission } = write.scope
  const configures = dynamicAdmission.isConfiguredBy(write.kind)
  const awaited = awaitObjects(write)
  if (awaited !== undefined) {
    await awaited
    write.moment = momentOf(write.scope)
  }
  for (const step of firstSteps) step(write)
  if (dynamicAdmission.isActive) {
    await mutateByConfiguration(write)
    // Webhooks take their time.
    write.moment = momentOf(write.scope)
  }
  if (hasExpressions(write)) await checkExpressions(write)
  for (const step of middleSteps) step(write)
  if (dynamicAdmission.isActive) await validateByConfiguration(write)
  for (const step of lastSteps) step(write)
  const stored = record === undefined ? storeNew(write) : storeNext(write, record)
  return configures ? stored.finally(() => dynamicAdmission.changed()) : stored
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
  if (isFinished(kind, next, current)) {
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
function isFinished(kind: Kind, next: NewObject, current: KubernetesObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0 || !current.metadata?.deletionTimestamp) return false
  if ((current.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  const { spec } = next as { spec?: { finalizers?: readonly string[] } }
  return kind.type !== 'core.Namespace' || (spec?.finalizers?.length ?? 0) === 0
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
