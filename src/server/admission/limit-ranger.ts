// LimitRanges provide default requests and limits of containers, and limit pods and claims.
// Kubernetes: plugin/pkg/admission/limitranger.LimitRanger.Admit, LimitRanger.Validate, LimitRanger.runLimitFunc
import { applyLimitRanges, checkClaimLimits, checkPodLimits } from '../../api/kinds/core/limit-range/admission.ts'
import { limitRanges, persistentVolumeClaims, pods } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, Pod, Writable } from '../../api/types.ts'
import { copyJson } from '../../base/json.ts'
import { type AdmissionPlugin, type AdmittedWrite, among } from './plugin.ts'

// A terminating object is not limited: its finalizers could not be removed.
const isTerminating = ({ current }: AdmittedWrite) => current?.metadata?.deletionTimestamp !== undefined

/** A pod is limited when it is created, and when it is resized. */
const isLimited = (write: AdmittedWrite) => write.current === undefined || (write.subresource === 'resize' && !isTerminating(write))

export const podLimits: AdmissionPlugin = {
  concerns: among(pods),
  admit(write) {
    if (!isLimited(write)) return
    const ranges = write.cluster.list(limitRanges, write.namespace)
    if (ranges.length === 0) return
    const pod = write.next as Writable<Pod>
    pod.spec = copyJson(pod.spec!)
    applyLimitRanges(pod, ranges)
  },
  check(write) {
    return isLimited(write) ? checkPodLimits(write.next as Pod, write.cluster.list(limitRanges, write.namespace)) : undefined
  },
}

export const claimLimits: AdmissionPlugin = {
  concerns: among(persistentVolumeClaims),
  check(write) {
    if (write.subresource !== undefined || isTerminating(write)) return undefined
    return checkClaimLimits(write.next as PersistentVolumeClaim, write.cluster.list(limitRanges, write.namespace))
  },
}
