// The kinds that have pods.
import type { KubernetesObject } from '../../api/types.ts'

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob', 'Pod'] as const

/** On a pod of a cluster that decides where the simulated pods may run, and is itself no part of what is measured. */
export const neighbourAnnotation = 'rollcall.dev/simulated-neighbour'

export const isNeighbourPod = ({ metadata }: KubernetesObject): boolean => metadata?.annotations?.[neighbourAnnotation] !== undefined

export const isWorkload = ({ object }: { readonly object: KubernetesObject }): boolean =>
  (workloadKinds as readonly string[]).includes(object.kind ?? '') && !(object.kind === 'Pod' && isNeighbourPod(object))
