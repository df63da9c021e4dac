// LimitRanges provide default requests and limits of containers, and limit pods and claims.
import { applyLimitRanges, checkClaimLimits, checkPodLimits } from '../../api/kinds/core/limit-range/admission.ts'
import { limitRanges } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, Pod, Writable } from '../../api/types.ts'
import { copyJson } from '../../base/json.ts'
import { type AdmissionPlugin, creates } from './plugin.ts'

export const limitRanger: AdmissionPlugin = {
  admit(write) {
    if (!creates(write, 'core.Pod')) return
    const ranges = write.cluster.list(limitRanges, write.namespace)
    if (ranges.length === 0) return
    const pod = write.next as Writable<Pod>
    pod.spec = copyJson(pod.spec!)
    applyLimitRanges(pod, ranges)
  },
  check(write) {
    const { current, next, namespace, cluster } = write
    if (creates(write, 'core.Pod')) return checkPodLimits(next as Pod, cluster.list(limitRanges, namespace))
    // A terminating claim is not limited: its finalizers could not be removed.
    const isLimited = write.subresource === undefined && current?.metadata?.deletionTimestamp === undefined
    if (isLimited && write.kind.type === 'core.PersistentVolumeClaim')
      return checkClaimLimits(next as PersistentVolumeClaim, cluster.list(limitRanges, namespace))
    return undefined
  },
}
