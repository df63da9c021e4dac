// A pod stays for five minutes on a node that is not ready or cannot be reached, unless it has tolerations of its own for this.
// Kubernetes: plugin/pkg/admission/defaulttolerationseconds.Plugin.Admit
import { replaceFields } from '../../../machinery/fields.ts'
import type { Pod, Writable } from '../../../types.ts'

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
