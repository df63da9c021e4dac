// Pods stay for a while on nodes that are not ready, at creation and after every update of the pod itself.
import { addDefaultTolerations } from '../../api/admission/default-tolerations.ts'
import type { Pod, Writable } from '../../api/types.ts'
import type { AdmissionPlugin } from './plugin.ts'

export const defaultTolerations: AdmissionPlugin = {
  admit({ kind, subresource, next }) {
    if (kind.type === 'core.Pod' && subresource === undefined) addDefaultTolerations(next as Writable<Pod>)
    return undefined
  },
}
