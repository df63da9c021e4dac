// Which pods are a Job's own: those it controls and selects, and orphans that it selects.
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Job, Pod, Stored } from '../../../api/types.ts'
import { type LabelRequirements, matchesLabels } from '../../../base/label-selector.ts'
import { type JobPod, trackingFinalizer } from './pods.ts'
import { ownerReferenceTo } from './template.ts'

export interface ClaimPlan {
  readonly owned: readonly JobPod[]
  readonly adopt: readonly JobPod[]
  readonly release: readonly JobPod[]
}

/** `pods`: those that the Job controls, and those of its namespace that nobody controls. */
export function planClaim(job: Stored<Job>, selector: LabelRequirements, pods: readonly JobPod[]): ClaimPlan {
  const isJobBeingDeleted = job.metadata.deletionTimestamp !== undefined
  const owned: JobPod[] = []
  const adopt: JobPod[] = []
  const release: JobPod[] = []
  for (const pod of pods) {
    const controller = controllerOf(pod)
    const isSelected = matchesLabels(selector, pod.metadata.labels)
    if (controller === undefined) {
      if (isSelected && !isJobBeingDeleted && pod.metadata.deletionTimestamp === undefined) adopt.push(pod)
    } else if (controller.uid === job.metadata.uid) {
      if (isSelected) owned.push(pod)
      else if (!isJobBeingDeleted) release.push(pod)
    }
  }
  return { owned, adopt, release }
}

/** Strategic merge patches: nobody else's references or finalizers are touched, and the uid is the precondition. */
export function adoptionPatch(job: Stored<Job>, { metadata }: JobPod) {
  return { metadata: { uid: metadata.uid, ownerReferences: [ownerReferenceTo(job)], finalizers: [trackingFinalizer] } }
}

export function releasePatch(job: Stored<Job>, { metadata }: JobPod) {
  return {
    metadata: {
      uid: metadata.uid,
      ownerReferences: [{ $patch: 'delete', uid: job.metadata.uid }],
      '$deleteFromPrimitiveList/finalizers': [trackingFinalizer],
    },
  }
}

export const withoutTrackingPatch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } }
