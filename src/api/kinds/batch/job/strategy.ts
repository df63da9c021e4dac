// Kubernetes: pkg/registry/batch/job.jobStrategy.*, jobStatusStrategy.*
import { dropUnless } from '../../../machinery/disabled-fields.ts'
import type { FeatureGates } from '../../../machinery/feature-gates.ts'
import { fillMap, replaceFields } from '../../../machinery/fields.ts'
import { isSpecChanged, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { judgedElsewhere } from '../../../machinery/validation/metadata.ts'
import type { Job, Writable } from '../../../types.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { templateWarnings, workloadNameWarnings } from '../../core/pod/warnings.ts'
import { defaultJobLabels, defaultJobSpec, withReplacementPolicy } from './defaults.ts'
import { validateJobStatusUpdate } from './status-validation.ts'
import { validateJob, validateJobUpdate } from './validation.ts'

type JobSpec = NonNullable<Job['spec']>

const controllerUid = 'batch.kubernetes.io/controller-uid'

export const jobStrategy: Strategy<Job> = {
  generation: true,
  generationChanges: isSpecChanged,
  defaultPropagation: 'Orphan',
  propagationWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  defaultSpec: defaultJobSpec,
  default: defaultJobLabels,
  prepareForCreate(job, { gates }) {
    // The labels and the selector need the Job's uid, which is set before this step.
    if (job.spec?.manualSelector !== true) generateSelector(job)
    job.status = {}
    dropDisabledJobFields(gates, job.spec)
    // A Job whose terminatingAsActive was dropped is one without it, and has the default of such a Job.
    job.spec = withReplacementPolicy(job.spec!, gates)
  },
  prepareForUpdate(next, current, { gates }) {
    keepStatus(next, current)
    dropDisabledJobFields(gates, next.spec, current.spec)
    next.spec = withReplacementPolicy(next.spec!, gates)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatusUpdate,
  warnings(job, current) {
    if (current === undefined) return [...workloadNameWarnings(job.metadata?.name ?? ''), ...jobSpecWarnings('spec', job.spec)]
    return isSpecChanged(job, current) ? jobSpecWarnings('spec', job.spec) : []
  },
}

export function dropDisabledJobFields(gates: FeatureGates, next: Writable<Job>['spec'], current?: JobSpec): void {
  dropUnless(gates.JobPodReplacementPolicy, next, current, 'podReplacementPolicy')
  dropUnless(gates.TerminatingAsActive, next, current, 'terminatingAsActive')
  dropDisabledTemplateFields(next?.template, current?.template)
}

/** A selector that matches the pods of this very Job, by its uid, and the labels that its pods carry for it. */
function generateSelector(job: Writable<Job>): void {
  const { name = '', uid = '' } = job.metadata ?? {}
  const made = { [controllerUid]: uid, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid, 'job-name': name }
  const { template, selector } = job.spec!
  const metadata = template.metadata ?? {}
  const labels = fillMap(metadata.labels, made)
  job.spec = replaceFields('batch.JobSpec', job.spec, {
    selector: replaceFields('meta.LabelSelector', selector, { matchLabels: fillMap(selector?.matchLabels, { [controllerUid]: uid }) }),
    template: { ...template, metadata: replaceFields('meta.ObjectMeta', metadata, { labels }) },
  })
  // A Job shares the labels object of its template if it has no labels of its own (see defaultJobLabels).
  if (job.metadata?.labels !== metadata.labels) return
  const own = metadata.labels === undefined ? judgedElsewhere({ ...labels }) : labels
  job.metadata = replaceFields('meta.ObjectMeta', job.metadata, { labels: own })
}

const manyCompletions = 100_000
const muchParallelism = 10_000

export function jobSpecWarnings(
  path: string,
  spec: Pick<JobSpec, 'completionMode' | 'completions' | 'parallelism' | 'template'> | undefined,
): string[] {
  if (spec === undefined) return []
  const { completionMode, completions = 0, parallelism = 0, template } = spec
  const many = completionMode === 'Indexed' && completions > manyCompletions && parallelism > muchParallelism
  return [
    ...(many
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(`${path}.template`, template),
  ]
}
