// Adds the default tolerations: a pod stays for five minutes on a node that is not ready or unreachable, unless it has tolerations of its own for this.
// Kubernetes: plugin/pkg/admission/defaulttolerationseconds.Plugin.Admit
import { pods } from '../../api/kinds.ts'
import { replaceFields } from '../../api/machinery/fields.ts'
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

const staySeconds = 300
const defaults = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: staySeconds,
}))

/** At creation and on every update of the pod itself. */
export function addDefaultTolerations(pod: Writable<Pod>): void {
  const tolerations = pod.spec?.tolerations ?? []
  const missing = defaults.filter(
    ({ key, effect }) => !tolerations.some((one) => (!one.key || one.key === key) && (!one.effect || one.effect === effect)),
  )
  if (missing.length === 0 || !pod.spec) return
  pod.spec = replaceFields('core.PodSpec', pod.spec, { tolerations: [...tolerations, ...missing.map((one) => ({ ...one }))] })
}
