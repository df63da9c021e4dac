// The PersistentVolumeClaims of pods, with the messages of kube-scheduler.
// Kubernetes: pkg/scheduler/framework/plugins/volumebinding.VolumeBinding.PreFilter, VolumeBinding.podHasPVCs
import type { PersistentVolumeClaim, Pod, Stored } from '../../api/types.ts'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Undefined: the claim names no class, and the cluster has no default. */
export function classOf({ metadata, spec }: PersistentVolumeClaim): string | undefined {
  return metadata?.annotations?.[classAnnotation] ?? spec?.storageClassName
}

export const isBound = ({ spec, status }: PersistentVolumeClaim) => Boolean(spec?.volumeName) && status?.phase === 'Bound'

/** The names of the claims that the pod uses. */
export function claimsOf({ spec }: Pod): readonly string[] {
  const names: string[] = []
  for (const { persistentVolumeClaim } of spec?.volumes ?? []) if (persistentVolumeClaim) names.push(persistentVolumeClaim.claimName)
  return names
}

/**
 * Why the claims keep the pod from every node. Undefined: they do not. A claim with a storage class gets its volume after its
 * pod has a node.
 */
export function claimProblem(pod: Pod, readClaim: (name: string) => Stored<PersistentVolumeClaim> | undefined): string | undefined {
  const names = claimsOf(pod)
  const found: Stored<PersistentVolumeClaim>[] = []
  for (const name of names) {
    const claim = readClaim(name)
    if (claim === undefined) return `persistentvolumeclaim ${JSON.stringify(name)} not found`
    if (claim.status?.phase === 'Lost')
      return `persistentvolumeclaim ${JSON.stringify(name)} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? '')}`
    if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim ${JSON.stringify(name)} is being deleted`
    found.push(claim)
  }
  const isImmediate = (claim: PersistentVolumeClaim) => !isBound(claim) && classOf(claim) === ''
  return found.some(isImmediate) ? 'pod has unbound immediate PersistentVolumeClaims' : undefined
}
