// LimitRanges provide default requests and limits of containers, and limit pods and claims.
// Kubernetes: plugin/pkg/admission/limitranger.LimitRanger.Admit, LimitRanger.Validate, LimitRanger.runLimitFunc
import { applyLimitRanges, checkClaimLimits, checkPodLimits } from '../../api/kinds/core/limit-range/admission.ts'
import { limitRanges } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, Pod, Writable } from '../../api/types.ts'
import { copyJson } from '../../base/json.ts'
import { type AdmissionPlugin, type AdmittedWrite, creates } from './plugin.ts'

const isResize = ({ kind, subresource }: AdmittedWrite) => kind.type === 'core.Pod' && subresource === 'resize'

export const limitRanger: AdmissionPlugin = {
  admit(write) {
    const isUpdated = isResize(write) && write.current?.metadata?.deletionTimestamp === undefined
    if (!creates(write, 'core.Pod') && !isUpdated) return
    const ranges = write.cluster.list(limitRanges, write.namespace)
    if (ranges.length === 0) return
    const pod = write.next as Writable<Pod>
    pod.spec = copyJson(pod.spec!)
    applyLimitRanges(pod, ranges)
  },
  check(write) {
    const { current, next, namespace, cluster } = write
    // A terminating object is not limited: its finalizers could not be removed.
    if (current?.metadata?.deletionTimestamp !== undefined) return undefined
    if (creates(write, 'core.Pod') || isResize(write)) return checkPodLimits(next as Pod, cluster.list(limitRanges, namespace))
    if (write.subresource === undefined && write.kind.type === 'core.PersistentVolumeClaim')
      return checkClaimLimits(next as PersistentVolumeClaim, cluster.list(limitRanges, namespace))
    return undefined
  },
}
