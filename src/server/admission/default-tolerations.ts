// Adds the default tolerations for nodes that are not ready or unreachable, on create and on update of the pod itself.
// Kubernetes: plugin/pkg/admission/defaulttolerationseconds.Plugin.Admit
import { addDefaultTolerations } from '../../api/kinds/core/pod/default-tolerations.ts'
import { pods } from '../../api/kinds.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import type { Pod, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, among } from './plugin.ts'

const tolerant = new KnownSpecs<NonNullable<Writable<Pod>['spec']>>()

export const defaultTolerations: AdmissionPlugin = {
  concerns: among(pods),
  admit({ subresource, next }) {
    const pod = next as Writable<Pod>
    if (subresource === undefined && pod.spec !== undefined)
      pod.spec = tolerant.of(pod.spec, [], () => {
        addDefaultTolerations(pod)
        return pod.spec!
      })
  },
}
