// The steps of ./write-pipeline.ts, except for admission. `current` is undefined for a create.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeCreate, BeforeUpdate, FillObjectMetaSystemFields, WipeObjectMetaSystemFields
import { type FieldError, invalid, withDeclaredLast } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind, type Strategy, type StrategyContext } from '../../api/machinery/kind.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import { conflictError, failure, invalidError, objectModified } from '../../api/machinery/status-error.ts'
import { validateMetadataOnUpdate, validateObjectMeta } from '../../api/machinery/validation/metadata.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { copyJson, isEqualJson } from '../../base/json.ts'
import { randomUid } from '../../base/random.ts'
import type { AdmittedWrite } from '../admission/plugin.ts'
import type { KindPipeline } from './kind-pipeline.ts'
import { trackChange } from './managed-fields.ts'
import { checkName, ensureNamespace, generateName } from './naming.ts'
import { parseUintProblem } from './resource-version.ts'
import type { WriteOptions } from './rest.ts'
import type { WriteScope } from './scope.ts'
import { countGeneration, type UpdateRules } from './update-rules.ts'

export type NewObject = Writable<KubernetesObject> & { metadata: Writable<NonNullable<KubernetesObject['metadata']>> }

/** The input of every step. */
export interface Write extends AdmittedWrite {
  readonly scope: WriteScope
  readonly pipeline: KindPipeline
  /** For an update or a patch. */
  readonly rules: UpdateRules
  /** The name in the request; undefined for a POST. */
  readonly name: string | undefined
  readonly options: WriteOptions
  /** Webhooks and policies replace it. */
  next: NewObject
  readonly tracksFields: boolean
  /** Repeats an allocation after validating webhooks took their time: what was free before may be in use now. */
  allocateAgain?: () => void
  /** The time of the write. */
  moment: Moment
}

/** The time of a write, read once: all steps see the same. */
interface Moment extends StrategyContext {
  /** `nowMs` in RFC 3339. */
  readonly time: string
}

export function momentOf({ gates, clock }: WriteScope): Moment {
  const nowMs = clock.now()
  return { gates, nowMs, time: formatTime(nowMs) }
}

/**
 * Replaces the spec, labels and owners of a new object by equal ones that are known, so that whatever reads them later can reuse what
 * it found out about them, by identity. An update keeps them.
 */
export function shareParts({ scope, current, next }: Write): void {
  if (current !== undefined) return
  const object = next as NewObject & { spec?: object }
  const { labels, ownerReferences } = object.metadata
  if (object.spec !== undefined) object.spec = scope.specs.share(object.spec)
  if (labels !== undefined) object.metadata.labels = scope.metadataParts.share(labels)
  if (ownerReferences !== undefined) object.metadata.ownerReferences = scope.metadataParts.share(ownerReferences)
}

export function fillDefaults({ kind: { strategy }, current, next, moment }: Write): void {
  const { defaultSpec, hasEqualSpecs } = strategy
  const object = next as WithSpec & NewObject
  const mayBeShared = current !== undefined || hasEqualSpecs
  if (!mayBeShared || object.spec === undefined) defaultSpec?.(next, moment)
  // A stored spec has its defaults already.
  else if (defaultSpec !== undefined && object.spec !== (current as WithSpec | undefined)?.spec)
    fillSpec(object, object.spec, moment, defaultSpec)
  strategy.default?.(next, moment)
}

type WithSpec = KubernetesObject & { spec?: object }

type DefaultSpec = NonNullable<Strategy['defaultSpec']>

const defaulted = new KnownSpecs<object>()

/** Fills the defaults into a copy, as the spec may be shared. A spec without missing defaults stays the same object. */
function fillSpec(object: WithSpec & NewObject, given: object, context: StrategyContext, defaultSpec: DefaultSpec): void {
  object.spec = defaulted.of(given, [context.gates], () => {
    object.spec = copyJson(given)
    defaultSpec(object, context)
    return isEqualJson(object.spec, given) ? given : object.spec
  })
}

export function setIdentity({ namespace, name, current, next, options }: Write): void {
  ensureNamespace(next, namespace)
  if (name !== undefined) checkName(next, name)
  if (current === undefined) dropSystemFields(next, name !== undefined)
  dropDuplicateOwners(next, options.warn)
}

/** Drops the fields of a new object that only the server sets, and the resourceVersion of an update that creates the object. */
function dropSystemFields({ metadata }: NewObject, isUpdate: boolean): void {
  // Deleting a property is slow even where there is none.
  for (const field of systemFields) if (metadata[field] !== undefined) delete metadata[field]
  if (!isUpdate) return
  const problem = metadata.resourceVersion ? parseUintProblem(metadata.resourceVersion) : undefined
  if (problem !== undefined) throw failure(500, '', problem)
  delete metadata.resourceVersion
}

const systemFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const

export function trackFields({ kind, current, next, subresource, options, tracksFields, moment }: Write): void {
  if (!tracksFields) trackChange(moment.time, kind, current, next, subresource, options)
}

/** Optimistic concurrency: the resourceVersion of an update, if it has one, must be the stored one. */
export function checkVersion({ kind, current, next: { metadata } }: Write): void {
  if (current === undefined) return
  const asked = metadata.resourceVersion ?? ''
  const stored = current.metadata?.resourceVersion ?? ''
  if (asked === stored && asked !== '') return
  const problem = asked === '' ? undefined : parseUintProblem(asked)
  if (problem !== undefined) throw failure(500, '', problem)
  if (asked === '' || Number(asked) === 0) {
    if (kind.strategy.unconditionalUpdate === false)
      throw invalidError({ group: kind.group, kind: kind.plural }, current.metadata?.name ?? '', [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    metadata.resourceVersion = stored
  } else if (Number(asked) !== Number(stored)) throw conflictError(kind, current.metadata?.name ?? '', objectModified)
}

export function prepare(write: Write): void {
  if (write.current === undefined) prepareNew(write)
  else prepareNext(write, write.current)
}

function prepareNew({ scope, kind, next, moment }: Write): void {
  const { metadata } = next
  metadata.creationTimestamp = moment.time
  metadata.uid = randomUid(scope.random)
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, scope.random)
  if (keepsGeneration(kind, moment)) metadata.generation = 1
  kind.strategy.prepareForCreate?.(next, moment)
}

const keepsGeneration = ({ strategy: { generation } }: Kind, { gates }: StrategyContext) =>
  typeof generation === 'string' ? gates[generation] : generation === true

function prepareNext({ kind, rules, next, moment }: Write, current: KubernetesObject): void {
  keep(next, 'generation', current.metadata?.generation)
  rules.prepare(next, current, moment)
  const metadata = next.metadata
  metadata.uid ||= current.metadata?.uid ?? ''
  keep(next, 'creationTimestamp', current.metadata?.creationTimestamp)
  if (current.metadata?.deletionTimestamp) metadata.deletionTimestamp = current.metadata.deletionTimestamp
  if (current.metadata?.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= current.metadata.deletionGracePeriodSeconds
  if (metadata.selfLink !== undefined) delete metadata.selfLink
  if (rules.countsGeneration && keepsGeneration(kind, moment)) countGeneration(kind, next, current)
}

function keep<F extends 'generation' | 'creationTimestamp'>(
  { metadata }: NewObject,
  field: F,
  value: NewObject['metadata'][F] | undefined,
): void {
  if (value === undefined) delete metadata[field]
  else metadata[field] = value
}

export function validate(write: Write): void {
  const { kind, subresource, current, next, moment } = write
  const { warn } = write.options
  checkOwnKind(kind, next)
  const errors = current === undefined ? errorsOfNew(write) : errorsOfNext(write, current)
  if (errors.length > 0) throw invalidError(kind, next.metadata.name ?? '', withDeclaredLast(errors))
  if (warn !== undefined && subresource === undefined)
    for (const sentence of kind.strategy.warnings?.(next, current, moment) ?? []) warn(sentence)
}

/** A custom resource comes here with the kind that its writer named. Messages about a wrong one are about an object of that kind. */
function checkOwnKind(expected: Kind, { kind = '', apiVersion = '', metadata }: NewObject): void {
  const expectedVersion = apiVersionOf(expected)
  if (expected.customType === undefined || (kind === expected.kind && apiVersion === expectedVersion)) return
  const errors: FieldError[] = []
  if (kind !== expected.kind) errors.push(invalid('kind', kind, `must be ${expected.kind}`))
  if (apiVersion !== expectedVersion) errors.push(invalid('apiVersion', apiVersion, `must be ${expectedVersion}`))
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  throw invalidError({ group, kind }, metadata.name ?? '', errors)
}

function errorsOfNew({ kind: { strategy, namespaced }, next, moment }: Write): FieldError[] {
  const { onCreate, anyFinalizer } = strategy.metadata ?? {}
  const ofKind = strategy.validate?.(next, moment) ?? []
  if (onCreate === 'separately' && ofKind.length > 0) return ofKind
  return [...validateObjectMeta(next.metadata, namespaced, strategy.names, 'metadata', anyFinalizer), ...ofKind]
}

function errorsOfNext({ kind, rules, subresource, next, moment }: Write, current: KubernetesObject): FieldError[] {
  const { names, metadata = {} } = kind.strategy
  const checks = subresource === 'status' ? metadata.onStatusUpdate : subresource === undefined ? metadata.onUpdate : undefined
  return [
    ...validateMetadataOnUpdate(next.metadata, current.metadata, { ...metadata, namespaced: kind.namespaced, names, checks }),
    ...rules.validate(next, current, moment),
  ]
}

// Removes duplicate ownerReferences, with a warning.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.dedupOwnerReferences, dedupOwnerReferencesAndAddWarning
function dropDuplicateOwners({ metadata }: NewObject, warn: ((sentence: string) => void) | undefined): void {
  const owners = metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  const kept = owners.filter((owner) => {
    const identity = JSON.stringify([owner.apiVersion, owner.kind, owner.name, owner.uid, owner.controller, owner.blockOwnerDeletion])
    if (!seen.has(identity)) {
      seen.add(identity)
      return true
    }
    duplicates.add(owner.uid)
    return false
  })
  if (duplicates.size === 0) return
  metadata.ownerReferences = kept
  warn?.(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  )
}
