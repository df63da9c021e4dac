// Names, ordinals and what else makes a pod of a StatefulSet the one it is.
import type { Pod, StatefulSet, Stored, Writable } from '../../../api/types.ts'

export const podNameLabel = 'statefulset.kubernetes.io/pod-name'
export const podIndexLabel = 'apps.kubernetes.io/pod-index'
export const revisionLabel = 'controller-revision-hash'

const memberName = /^(.*)-([0-9]+)$/
const largestOrdinal = 2 ** 31 - 1

export interface Membership {
  readonly parent: string
  /** -1 for a number that is no ordinal. */
  readonly ordinal: number
}

/** The set and the ordinal that a pod's name speaks of. */
export function membershipOf(podName: string): Membership | undefined {
  const match = memberName.exec(podName)
  if (match === null) return undefined
  const ordinal = Number(match[2])
  return { parent: match[1]!, ordinal: ordinal <= largestOrdinal ? ordinal : -1 }
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

/** `a-01` has an ordinal but not the name that belongs to it. */
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

/** Whether its volumes are the claims of its ordinal. */
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

/** The claims of the set's templates first; a volume of the pod with the name of one of them gives way. */
export function volumesOf(set: Stored<StatefulSet>, ordinal: number, own: Volumes = []): Writable<Volumes> {
  const names = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '')
  return [
    ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: claimNameOf(set, name, ordinal) } })),
    ...own.filter(({ name }) => !names.includes(name)),
  ] as Writable<Volumes>
}
