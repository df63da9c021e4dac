// The identity of StatefulSet pods: names, ordinals, labels and volumes.
// Kubernetes: pkg/controller/statefulset.getParentNameAndOrdinal, isMemberOf, identityMatches, storageMatches, updateStorage
// Kubernetes: pkg/controller/statefulset.updateIdentity, initIdentity, podInOrdinalRange
import type { Pod, StatefulSet, Stored, Writable } from '../../../api/types.ts'

const podNameLabel = 'statefulset.kubernetes.io/pod-name'
const podIndexLabel = 'apps.kubernetes.io/pod-index'
export const revisionLabel = 'controller-revision-hash'

const memberName = /^(.*)-([0-9]+)$/
const maxOrdinal = 2 ** 31 - 1

interface Membership {
  readonly parent: string
  /** -1 if the number is too large. */
  readonly ordinal: number
}

/** The set name and the ordinal in a pod's name. */
export function membershipOf(podName: string): Membership | undefined {
  const match = memberName.exec(podName)
  if (match === null) return undefined
  const ordinal = Number(match[2])
  return { parent: match[1]!, ordinal: ordinal <= maxOrdinal ? ordinal : -1 }
}

export function isMember(set: Stored<StatefulSet>, pod: Stored<Pod>): boolean {
  return membershipOf(pod.metadata.name)?.parent === set.metadata.name
}

export function ordinalOf({ metadata }: Stored<Pod>): number {
  return membershipOf(metadata.name)?.ordinal ?? -1
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const start = startOrdinal(set)
  return ordinal >= start && ordinal < start + (set.spec?.replicas ?? 1)
}

export function podNameOf(set: Stored<StatefulSet>, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`
}

export function claimNameOf(set: Stored<StatefulSet>, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`
}

export function revisionOf({ metadata }: Pod): string {
  return metadata?.labels?.[revisionLabel] ?? ''
}

/** `a-01` has the ordinal 1 but not its name. */
export function hasIdentity(set: Stored<StatefulSet>, { metadata }: Stored<Pod>): boolean {
  const membership = membershipOf(metadata.name)
  return (
    membership !== undefined &&
    membership.ordinal >= 0 &&
    membership.parent === set.metadata.name &&
    metadata.name === podNameOf(set, membership.ordinal) &&
    metadata.labels?.[podNameLabel] === metadata.name
  )
}

/** Whether its volumes use the claims of its ordinal. */
export function hasStorage(set: Stored<StatefulSet>, pod: Stored<Pod>): boolean {
  const ordinal = ordinalOf(pod)
  if (ordinal < 0) return false
  return (set.spec?.volumeClaimTemplates ?? []).every(({ metadata }) => {
    const name = metadata?.name ?? ''
    const volume = pod.spec?.volumes?.find((one) => one.name === name)
    return volume?.persistentVolumeClaim?.claimName === claimNameOf(set, name, ordinal)
  })
}

export function identityLabels(set: Stored<StatefulSet>, ordinal: number): Readonly<Record<string, string>> {
  return { [podIndexLabel]: String(ordinal), [podNameLabel]: podNameOf(set, ordinal) }
}

type Volumes = NonNullable<NonNullable<Pod['spec']>['volumes']>

/** The claims of the templates replace volumes of the pod with the same name. */
export function volumesOf(set: Stored<StatefulSet>, ordinal: number, own: Volumes = []): Writable<Volumes> {
  const names = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '')
  return [
    ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: claimNameOf(set, name, ordinal) } })),
    ...own.filter(({ name }) => !names.includes(name)),
  ] as Writable<Volumes>
}
