// Pods from the template of a Job.
// Kubernetes: pkg/controller/job.Controller.manageJob, addCompletionIndexEnvVariables, addCompletionIndexAnnotation
// Kubernetes: pkg/controller/job.addCompletionIndexLabel, addIndexFailureCountAnnotation, podGenerateNameWithIndex
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { Container, Job, Pod, PodSpec, Stored } from '../../../api/types.ts'
import {
  completionIndexKey,
  indexFailureCountKey,
  indexFailureCountOf,
  indexIgnoredFailureCountKey,
  indexIgnoredFailureCountOf,
  type JobPod,
  trackingFinalizer,
} from './pods.ts'
import { judgeFailure } from './policies.ts'

const maxNameLength = 253
/** The server truncates a generateName to this length before it adds five characters. */
const maxPrefixLength = 58
const indexVariable = 'JOB_COMPLETION_INDEX'

/** `index` is for Indexed Jobs; `replaced` is the failed pod of that index, if any. */
export function planPod(job: Stored<Job>, index?: number, replaced?: JobPod): Pod {
  const { template } = job.spec!
  const { labels, annotations, finalizers = [] } = template.metadata ?? {}
  const own = { [completionIndexKey]: String(index) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: index === undefined ? prefixOf(job.metadata.name) : prefixWithIndex(job.metadata.name, index),
      ...(index === undefined
        ? { ...(labels && { labels }), ...(annotations && { annotations }) }
        : { labels: { ...labels, ...own }, annotations: { ...annotations, ...own, ...failureCounts(job, replaced) } }),
      finalizers: finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer],
      ownerReferences: [controllerReference('batch/v1', 'Job', job)],
    },
    spec: index === undefined ? template.spec! : withIndex(template.spec!, `${job.metadata.name}-${index}`),
  }
}

const prefixOf = (name: string) => (name.length < maxNameLength ? `${name}-` : name)

function prefixWithIndex(name: string, index: number): string {
  const end = `-${index}-`
  return name.length + end.length > maxPrefixLength ? name.slice(0, maxPrefixLength - end.length) + end : name + end
}

function withIndex(spec: PodSpec, hostname: string): PodSpec {
  return {
    ...spec,
    hostname,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(withIndexVariable) }),
    containers: spec.containers.map(withIndexVariable),
  }
}

function withIndexVariable(container: Container): Container {
  if (container.env?.some(({ name }) => name === indexVariable)) return container
  const variable = { name: indexVariable, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${completionIndexKey}']` } } }
  return { ...container, env: [...(container.env ?? []), variable] }
}

/** With backoffLimitPerIndex, a pod has the failure counts of the earlier pods of its index in annotations. */
function failureCounts(job: Stored<Job>, replaced: JobPod | undefined): Readonly<Record<string, string>> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {}
  if (replaced === undefined) return { [indexFailureCountKey]: '0' }
  const { counts } = judgeFailure(job.spec.podFailurePolicy, replaced)
  const ignored = indexIgnoredFailureCountOf(replaced) + (counts ? 0 : 1)
  return {
    [indexFailureCountKey]: String(indexFailureCountOf(replaced) + (counts ? 1 : 0)),
    ...(ignored > 0 && { [indexIgnoredFailureCountKey]: String(ignored) }),
  }
}
