// Sets the priority of pods from their PriorityClass, and allows only one default class.
// Kubernetes: plugin/pkg/admission/priority.Plugin.Admit, Plugin.Validate
import { pods, priorityClasses } from '../../api/kinds.ts'
import { fill } from '../../api/machinery/fields.ts'
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

// Kubernetes: plugin/pkg/admission/priority.Plugin.admitPod, Plugin.validatePriorityClass, Plugin.getDefaultPriorityClass
const highestUserPriority = 1_000_000_000

/** The classes that every cluster has. The server creates them at its first start. */
const systemPriorityClasses: readonly PriorityClass[] = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2 * highestUserPriority + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-cluster-critical' },
    value: 2 * highestUserPriority,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
]

const isSystemPriorityClass = (className: string) => systemPriorityClasses.some(({ metadata }) => metadata?.name === className)

/** Sets priority, preemptionPolicy and the name of the default class. Returns the reason why the pod is forbidden, or undefined. */
export function resolvePriority(pod: Writable<Pod>, classes: readonly PriorityClass[]): string | undefined {
  const { spec } = pod
  if (!spec) return undefined
  const named = spec.priorityClassName
  const found = named ? findClass(named, classes) : defaultClass(classes)
  if (named && found === undefined) return `no PriorityClass with name ${named} was found`
  const priority = found?.value ?? 0
  if (spec.priority !== undefined && spec.priority !== priority)
    return `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`
  const preemptionPolicy = found === undefined ? 'PreemptLowerPriority' : found.preemptionPolicy
  if (preemptionPolicy !== undefined && spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy)
    return `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`
  pod.spec = fill('core.PodSpec', spec, { priorityClassName: found?.metadata?.name, priority, preemptionPolicy })
  return undefined
}

/** On an update: keeps what was resolved at creation where the writer leaves it out. */
export function keepPriority(next: Writable<Pod>, current: Pod): void {
  if (!next.spec) return
  const { priority, preemptionPolicy } = current.spec ?? {}
  next.spec = fill('core.PodSpec', next.spec, { priority, preemptionPolicy })
}

/** The reason why a class may not become a second default, or undefined. `isNew` for a class that is being created. */
export function checkGlobalDefault(priorityClass: PriorityClass, classes: readonly PriorityClass[], isNew: boolean): string | undefined {
  if (!priorityClass.globalDefault) return undefined
  const there = defaultClass(classes)
  if (there === undefined || (!isNew && there.metadata?.name === priorityClass.metadata?.name)) return undefined
  return `PriorityClass ${there.metadata?.name} is already marked as default. Only one default can exist`
}

const findClass = (name: string, classes: readonly PriorityClass[]) =>
  classes.find((one) => one.metadata?.name === name) ?? systemPriorityClasses.find((one) => one.metadata?.name === name)

/** Two default classes can only exist after a race. Then the one with the lower value is used. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  let lowest: PriorityClass | undefined
  for (const one of classes) if (one.globalDefault && (lowest === undefined || (one.value ?? 0) < (lowest.value ?? 0))) lowest = one
  return lowest
}
