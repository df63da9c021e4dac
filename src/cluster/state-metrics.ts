// What kube-state-metrics would tell of terminating pods (KEP-3973), read from the local copies when somebody asks.
import { deployments, replicaSets } from '../api/kinds.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'

const describe = (name: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`

/** Objects without a count, because the gate is off or nobody has looked at them yet, have no line. */
export function stateMetrics(informers: SharedInformers): () => string {
  const sets = informers.get(replicaSets)
  const owners = informers.get(deployments)
  return () => {
    let text = describe('kube_replicaset_status_terminating_replicas', 'The number of terminating replicas per ReplicaSet.')
    for (const { metadata, status } of sets.values())
      if (status?.terminatingReplicas !== undefined)
        text += `kube_replicaset_status_terminating_replicas{namespace="${metadata.namespace}",replicaset="${metadata.name}"} ${status.terminatingReplicas}\n`
    text += describe('kube_deployment_status_replicas_terminating', 'The number of terminating replicas per deployment.')
    for (const { metadata, status } of owners.values())
      if (status?.terminatingReplicas !== undefined)
        text += `kube_deployment_status_replicas_terminating{namespace="${metadata.namespace}",deployment="${metadata.name}"} ${status.terminatingReplicas}\n`
    return text
  }
}
