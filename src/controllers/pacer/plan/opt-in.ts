// Whether a new pod gets the pacer's gate: its workload opts in by an annotation, or its namespace by a label of the same name.
// The annotation takes precedence over the label: a workload with `TerminationStarted` is not paced.
//
// A pod names its ReplicaSet or Job, not its Deployment. The ReplicaSets of a Deployment are named after it and the hash that their
// pods have as a label, so the names of the pod are enough, also for a ReplicaSet that no cache has observed yet.
// Ours: the pacer exists in Rollcall only.

import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Job, KubernetesObject, Pod } from '../../../api/types.ts'
import { isFinished } from '../../job/plan/conditions.ts'
import { fieldOrAnnotation, podReplacementPolicyAnnotation } from '../../shared/plan/annotations.ts'

/** An annotation of Deployments, ReplicaSets and Jobs, and a label of namespaces. */
export const optInKey = podReplacementPolicyAnnotation
export const optInValue = 'TerminationComplete'
const optOutValue = 'TerminationStarted'

const hashLabel = 'pod-template-hash'

const groupOf = (apiVersion: string) => apiVersion.split('/')[0]

/** The kinds whose pods are paced, with their API group: other groups have kinds of the same names. */
const pacedOwners: Readonly<Record<string, string>> = { ReplicaSet: 'apps', Job: 'batch' }

/** Whether the controller of the pod is a ReplicaSet or a Job of Kubernetes. */
export function hasPacedOwner(pod: Pod): boolean {
  const owner = controllerOf(pod)
  return owner !== undefined && Object.hasOwn(pacedOwners, owner.kind) && pacedOwners[owner.kind] === groupOf(owner.apiVersion)
}

/** `Job/NAME`, or `ReplicaSet/NAME` and the Deployment that the ReplicaSet is named after. Empty: the pod is not paced. */
export function workloadNamesOf(pod: Pod): readonly string[] {
  const owner = controllerOf(pod)
  if (owner === undefined || !hasPacedOwner(pod)) return []
  const own = `${owner.kind}/${owner.name}`
  const hash = pod.metadata?.labels?.[hashLabel]
  if (owner.kind !== 'ReplicaSet' || !hash || !owner.name.endsWith(`-${hash}`)) return [own]
  return [own, `Deployment/${owner.name.slice(0, -hash.length - 1)}`]
}

/**
 * The value of the annotation, or `invalid` instead of an invalid value: the settings of all namespaces are lines of one list, in which
 * a line break would add an entry, and a long text would use up the size. Undefined for ReplicaSets of a Deployment, which have a copy
 * of its annotations, and for finished Jobs, which create no pods.
 */
export function settingOf(kind: string, workload: KubernetesObject): string | undefined {
  if (kind === 'ReplicaSet' && controllerOf(workload)?.kind === 'Deployment') return undefined
  if (kind === 'Job' && isFinished(workload as Job)) return undefined
  const value = workload.metadata?.annotations?.[optInKey]
  return value === undefined || value === optInValue || value === optOutValue ? value : 'invalid'
}

/** Whether the workload opted in by its annotation, or by the label of its namespace. */
export function isOptedIn(kind: string, workload: KubernetesObject, ofNamespace: string | undefined): boolean {
  return (settingOf(kind, workload) ?? ofNamespace) === optInValue
}

/** Why the annotation of the workload is invalid: it then counts as any value but `TerminationComplete`. Undefined: it is valid, or absent. */
export const optInProblemOf = (workload: KubernetesObject): string | undefined =>
  fieldOrAnnotation(undefined, workload, optInKey, `${optOutValue} or ${optInValue}`, (text) =>
    text === optOutValue || text === optInValue ? text : undefined,
  ).problem

/** `settings` are those of the workloads of the pod; `ofNamespace` is the label of its namespace. A pod with a node cannot have a gate. */
export const wantsGate = (pod: Pod, settings: readonly string[], ofNamespace: string | undefined): boolean =>
  !pod.spec?.nodeName && hasPacedOwner(pod) && (settings[0] ?? ofNamespace) === optInValue
