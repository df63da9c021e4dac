// The new ReplicaSet of a Deployment, the old ones, and their order.
// Kubernetes: pkg/controller/deployment/util.FindNewReplicaSet, FindOldReplicaSets, EqualIgnoreHash
// Kubernetes: pkg/controller.ReplicaSetsByCreationTimestamp.Less, ReplicaSetsBySizeOlder.Less, ReplicaSetsBySizeNewer.Less
import { isEqualStruct } from '../../../api/machinery/schema/equality.ts'
import type { Deployment, PodTemplateSpec, ReplicaSet, Stored } from '../../../api/types.ts'
import { revisionOf } from './annotations.ts'

export const templateHashLabel = 'pod-template-hash'

const maxNameLength = 253

/** A long Deployment name is truncated, never the hash. */
export function setName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, Math.max(0, maxNameLength - 1 - hash.length))}-${hash}`
}

export const sizeOf = ({ spec }: ReplicaSet): number => spec?.replicas ?? 1
export const statusReplicas = ({ status }: ReplicaSet): number => status?.replicas ?? 0
export const readyReplicas = ({ status }: ReplicaSet): number => status?.readyReplicas ?? 0
export const availableReplicas = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0

export const isActive = (set: ReplicaSet): boolean => sizeOf(set) > 0

export const totalSize = (sets: readonly ReplicaSet[]): number => sum(sets, sizeOf)
export const totalAvailable = (sets: readonly ReplicaSet[]): number => sum(sets, availableReplicas)

export function sum<T>(items: readonly T[], count: (item: T) => number): number {
  let total = 0
  for (const item of items) total += count(item)
  return total
}

type Template = NonNullable<Deployment['spec']>['template'] | PodTemplateSpec

/**
 * Oldest first; ReplicaSets of the same second by name. Never by revision: being the new ReplicaSet raises the revision, and two
 * ReplicaSets with one template would alternate.
 */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const timeA = a.metadata?.creationTimestamp ?? ''
  const timeB = b.metadata?.creationTimestamp ?? ''
  if (timeA !== timeB) return timeA < timeB ? -1 : 1
  const [nameA, nameB] = [a.metadata?.name ?? '', b.metadata?.name ?? '']
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0
}

/** Equality as Kubernetes defines it, ignoring the pod-template-hash label. */
export function isSameTemplate(a: Template | undefined, b: Template | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return isEqualTemplate(a, b)
  let known = compared.get(a)
  if (known?.with !== b) {
    known = { with: b, isSame: isEqualTemplate(a, b) }
    compared.set(a, known)
  }
  return known.isSame
}

const isEqualTemplate = (a: Template | undefined, b: Template | undefined) =>
  isEqualStruct('core.PodTemplateSpec', withoutHash(a), withoutHash(b))

/** Cached: the same two templates are compared in every sync. */
const compared = new WeakMap<Template, { readonly with: Template; readonly isSame: boolean }>()

export function withoutHash(template: Template | undefined): Template | undefined {
  const labels = template?.metadata?.labels
  if (labels === undefined || !Object.hasOwn(labels, templateHashLabel)) return template
  const { [templateHashLabel]: _hash, ...rest } = labels
  return { ...template, metadata: { ...template?.metadata, labels: rest } }
}

export interface SortedSets {
  /** The oldest one with the template of the Deployment. */
  readonly newSet: Stored<ReplicaSet> | undefined
  /** All others, oldest first. */
  readonly oldSets: readonly Stored<ReplicaSet>[]
}

export function sortSets(deployment: Deployment, sets: readonly Stored<ReplicaSet>[]): SortedSets {
  const sorted = [...sets].sort(byAge)
  const newSet = sorted.find(({ spec }) => isSameTemplate(spec?.template, deployment.spec?.template))
  return { newSet, oldSets: sorted.filter((set) => set !== newSet) }
}

export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  let max = 0n
  for (const set of sets) {
    const revision = revisionOf(set)
    if (revision !== undefined && revision > max) max = revision
  }
  return max
}
