// The kinds that have pods.
import type { KubernetesObject } from '../../api/types.ts'

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob', 'Pod'] as const

export const isWorkload = ({ object }: { readonly object: KubernetesObject }): boolean =>
  (workloadKinds as readonly string[]).includes(object.kind ?? '')
