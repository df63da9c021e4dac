import type { FeatureGates } from '../../../machinery/feature-gates.ts'
import { fill } from '../../../machinery/fields.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { Job, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'

export type JobSpec = NonNullable<Writable<Job>['spec']>

const noLimit = 2147483647

export function defaultJobSpec(job: Writable<Job>, { gates }: StrategyContext): void {
  const asked: Partial<JobSpec> = job.spec ?? {}
  const filled = fill('batch.JobSpec', job.spec, {
    parallelism: 1,
    ...(asked.completions === undefined && asked.parallelism === undefined && { completions: 1 }),
    backoffLimit: asked.backoffLimitPerIndex === undefined ? 6 : noLimit,
    manualSelector: false,
    template: {},
    completionMode: 'NonIndexed',
    suspend: false,
  })
  const spec = withReplacementPolicy(filled, gates)
  spec.template = defaultPodTemplate(spec.template)
  defaultPodConditions(spec)
  job.spec = spec
}

/** A Job without labels has those of its pods: the very object, as in Kubernetes, so that it also gets those that the server adds to them. */
export function defaultJobLabels(job: Writable<Job>): void {
  const labels = job.spec?.template.metadata?.labels
  if (labels !== undefined) job.metadata = fill('meta.ObjectMeta', job.metadata, { labels })
}

/**
 * With Kubernetes' default where there is none: Failed beside a pod failure policy, which works with nothing else. A Job
 * with `terminatingAsActive` gets no default: each of the two fields has a gate of its own, and what is written for one
 * must not outlive it in the other.
 */
export function withReplacementPolicy(spec: JobSpec, { JobPodReplacementPolicy: isOn }: FeatureGates): JobSpec {
  const { podFailurePolicy, podReplacementPolicy, terminatingAsActive } = spec
  if (!isOn || podReplacementPolicy !== undefined) return spec
  if (podFailurePolicy !== undefined) return fill('batch.JobSpec', spec, { podReplacementPolicy: 'Failed' })
  return terminatingAsActive === true ? spec : fill('batch.JobSpec', spec, { podReplacementPolicy: 'TerminatingOrFailed' })
}

/** `status` is written even when empty, and empty means True. */
export function defaultPodConditions(spec: JobSpec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    if (rule.onPodConditions)
      rule.onPodConditions = rule.onPodConditions.map((pattern) => (pattern.status ? pattern : { type: pattern.type, status: 'True' }))
}
