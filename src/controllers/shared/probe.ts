// What the probes of the preflight share.
// Ours: the preflight asks whether another controller answers.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Probe } from '../controller-definition.ts'

/** By it Rollcall's own controllers leave a probe alone. */
export const preflightAnnotation = 'rollcall.dev/preflight'

const labels = { [preflightAnnotation]: 'probe' }
export const probeSelector = { matchLabels: labels }
export const probeLabels = labels
export const probeTemplate = { metadata: { labels }, spec: { containers: [{ name: 'none', image: 'rollcall.invalid/none' }] } }

/** For a kind whose controller writes observedGeneration for every object. */
export const observedProbe = (kind: Kind, spec: object): Probe => ({
  kind,
  object: () => ({ spec }) as KubernetesObject,
  isAnswered: (current) => (statusOf(current)?.observedGeneration ?? 0) > 0,
})

const statusOf = (current: Stored<KubernetesObject> | undefined) =>
  (current as { readonly status?: { readonly observedGeneration?: number } } | undefined)?.status

export const probeJobTemplate = { metadata: {}, spec: { ...probeTemplate.spec, restartPolicy: 'Never' } }
