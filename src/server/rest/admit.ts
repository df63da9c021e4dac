// Admission on the way in: what depends on more than the object itself.
import { addDefaultTolerations } from '../../api/admission/default-tolerations.ts'
import { applyLimitRanges, checkClaimLimits, checkPodLimits } from '../../api/admission/limit-ranges.ts'
import { addNewNodeTaint } from '../../api/admission/new-node-taint.ts'
import { checkGlobalDefault, keepPriority, resolvePriority } from '../../api/admission/priority.ts'
import { addProtectionFinalizer } from '../../api/admission/storage-protection.ts'
import type { Kind } from '../../api/kind.ts'
import { limitRanges, namespaces, nodes, persistentVolumeClaims, pods, priorityClasses, storageClasses } from '../../api/kinds.ts'
import { forbiddenError } from '../../api/status-error.ts'
import type {
  KubernetesObject,
  LimitRange,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PriorityClass,
  StorageClass,
  Writable,
} from '../../api/types.ts'
import { setDefaultStorageClass } from '../admission/default-storage-class.ts'
import { admitIntoNamespace, admitNamespaceDeletion } from '../admission/namespace-lifecycle.ts'
import type { NewObject } from './input.ts'
import type { PodRules } from './pod-moulds.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'

const asKind = (kind: unknown): Kind => kind as Kind
const podKind = asKind(pods)
const claimKind = asKind(persistentVolumeClaims)
const nodeKind = asKind(nodes)
const namespaceKind = asKind(namespaces)
const priorityClassKind = asKind(priorityClasses)

export function readNamespace(scope: Scope, name: string): Namespace | undefined {
  const record = scope.store.get(keyOf(namespaceKind, '', name))
  return record && (entryOf(scope, namespaceKind, record).object as Namespace)
}

function readAll<T extends KubernetesObject>(scope: Scope, kind: unknown, namespace: string): readonly T[] {
  return scope.rare.of(kind as Kind, namespace)
}

export function readPodRules(scope: Scope, namespace: string): PodRules {
  return {
    limitRanges: readAll<LimitRange>(scope, limitRanges, namespace),
    priorityClasses: readAll<PriorityClass>(scope, priorityClasses, ''),
  }
}

/** The name that a refusal speaks of; the final one may not be made yet. */
const nameOf = ({ metadata }: NewObject) => metadata.name || metadata.generateName || 'Unknown'

const refuse = (kind: Kind, object: NewObject, why: string | undefined): void => {
  if (why !== undefined) throw forbiddenError(kind, nameOf(object), why)
}

/** Before the kind's own preparation. Changes the object in place, or throws a StatusError. Of a known one the spec is admitted already. */
export function admitCreate(scope: Scope, kind: Kind, object: NewObject, isKnown = false): void {
  const { namespace = '' } = object.metadata
  if (kind.namespaced) admitIntoNamespace(kind, nameOf(object), namespace, readNamespace(scope, namespace))
  addProtectionFinalizer(kind.kind, object)
  if (isKnown) return
  if (kind === podKind) {
    const pod = object as Writable<Pod>
    const rules = readPodRules(scope, namespace)
    applyLimitRanges(pod, rules.limitRanges)
    refuse(kind, object, resolvePriority(pod, rules.priorityClasses))
    addDefaultTolerations(pod)
  } else if (kind === claimKind)
    setDefaultStorageClass(object as Writable<PersistentVolumeClaim>, readAll<StorageClass>(scope, storageClasses, ''))
  else if (kind === nodeKind) addNewNodeTaint(object as Writable<Node>)
}

/** After validation. Throws a StatusError. */
export function checkCreate(scope: Scope, kind: Kind, object: NewObject): void {
  const { namespace = '' } = object.metadata
  if (kind === podKind) refuse(kind, object, checkPodLimits(object as Pod, readAll<LimitRange>(scope, limitRanges, namespace)))
  else if (kind === claimKind)
    refuse(kind, object, checkClaimLimits(object as PersistentVolumeClaim, readAll<LimitRange>(scope, limitRanges, namespace)))
  else if (kind === priorityClassKind)
    refuse(kind, object, checkGlobalDefault(object as PriorityClass, readAll<PriorityClass>(scope, priorityClasses, ''), true))
}

/**
 * The last step before the store: what the object takes out of quotas is held until the returned function is called.
 * Throws a StatusError. `current` is what it takes the place of.
 */
export function chargeQuotas(
  scope: Scope,
  kind: Kind,
  object: NewObject,
  dryRun: boolean | undefined,
  current?: KubernetesObject,
  subresource?: string,
): () => void {
  const { namespace = '', name = '' } = object.metadata
  if (!kind.namespaced || scope.quotas.isEmpty(namespace)) return doNothing
  const key = keyOf(kind, namespace, name)
  const result = scope.quotas.charge({ kind, namespace, key, object, dryRun, subresource, ...(current && { current }) })
  if (result === undefined) return doNothing
  if ('refusal' in result) throw forbiddenError(kind, nameOf(object), result.refusal)
  return result.release
}

const doNothing = () => {}

/** The same for an object that takes the place of another one: before the kind's own preparation. */
export function admitUpdate(kind: Kind, next: NewObject, current: KubernetesObject, subresource: string | undefined): void {
  if (kind !== podKind || subresource !== undefined) return
  keepPriority(next as Writable<Pod>, current as Pod)
  addDefaultTolerations(next as Writable<Pod>)
}

export function checkUpdate(scope: Scope, kind: Kind, next: NewObject): void {
  if (kind === priorityClassKind)
    refuse(kind, next, checkGlobalDefault(next as PriorityClass, readAll<PriorityClass>(scope, priorityClasses, ''), false))
}

/** Throws a StatusError when the object may not be deleted. */
export function admitDelete(kind: Kind, name: string): void {
  if (kind === namespaceKind) admitNamespaceDeletion(name)
}
