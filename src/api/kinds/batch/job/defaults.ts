// Kubernetes: pkg/apis/batch/v1.SetDefaults_Job, SetDefaults_PodFailurePolicyOnPodConditionsPattern
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

/** A Job without labels shares the labels object of its template, as in Kubernetes: labels that the server adds there also appear on the Job. */
export function defaultJobLabels(job: Writable<Job>): void {
  const labels = job.spec?.template.metadata?.labels
  if (labels !== undefined) job.metadata = fill('meta.ObjectMeta', job.metadata, { labels })
}

/**
 * Fills in Kubernetes' default: Failed with a pod failure policy, which allows nothing else, and TerminatingOrFailed otherwise. A Job
 * with `terminatingAsActive` gets no default: each of the two fields has its own feature gate, and a default that was derived
 * from one field must not stay in the other when the gate is turned off.
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
