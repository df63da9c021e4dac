// Sets the priority of pods from their PriorityClass, and allows only one default class.
// Kubernetes: plugin/pkg/admission/priority.Plugin.Admit, Plugin.Validate
import {
  checkGlobalDefault,
  isSystemPriorityClass,
  keepPriority,
  resolvePriority,
} from '../../api/kinds/scheduling/priority-class/admission.ts'
import { pods, priorityClasses } from '../../api/kinds.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import type { Pod, PriorityClass, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, among, type Refusal } from './plugin.ts'

export const priority: AdmissionPlugin = {
  concerns: among(pods),
  admit({ subresource, next, current, cluster }) {
    if (subresource !== undefined) return undefined
    const pod = next as Writable<Pod>
    if (current === undefined) return resolveOnce(pod, cluster.list(priorityClasses, ''))
    keepPriority(pod, current as Pod)
    return undefined
  },
}

export const priorityClass: AdmissionPlugin = {
  concerns: among(priorityClasses),
  check({ subresource, next, current, cluster }) {
    if (subresource !== undefined) return undefined
    return checkGlobalDefault(next as PriorityClass, cluster.list(priorityClasses, ''), current === undefined)
  },
  admitDelete: (name) => (isSystemPriorityClass(name) ? 'this is a system priority class and cannot be deleted' : undefined),
}

const resolved = new KnownSpecs<{ readonly spec: Writable<Pod>['spec']; readonly refusal: Refusal }>()

function resolveOnce(pod: Writable<Pod>, classes: readonly PriorityClass[]): Refusal {
  if (pod.spec === undefined) return undefined
  const { spec, refusal } = resolved.of(pod.spec, [classes], () => {
    const refusal = resolvePriority(pod, classes)
    return { spec: pod.spec, refusal }
  })
  pod.spec = spec!
  return refusal
}
