// A pod gets the topology labels of its node, when it is created with one and when it is bound (PodTopologyLabels).
// Kubernetes: plugin/pkg/admission/podtopologylabels.Plugin.Admit, Plugin.admitBinding, Plugin.admitPod
// Kubernetes: plugin/pkg/admission/podtopologylabels.Plugin.topologyLabelsForNodeName
import { nodes, pods } from '../../api/kinds.ts'
import type { KubernetesObject, Pod } from '../../api/types.ts'
import { type AdmissionCluster, type AdmissionPlugin, among, creates } from './plugin.ts'

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone']

export const podTopology: AdmissionPlugin = {
  concerns: among(pods),
  admit(write) {
    if (!creates(write)) return
    const { metadata, spec } = write.next as Pod
    const labels = withTopology(metadata?.labels, spec?.nodeName, write.cluster)
    if (labels !== metadata?.labels) (write.next as { metadata: object }).metadata = { ...metadata, labels }
  },
}

type Labels = NonNullable<KubernetesObject['metadata']>['labels']

/** The labels with those of the node, which win. The same object where it has none, or does not exist. */
export function withTopology(labels: Labels, nodeName: string | undefined, cluster: AdmissionCluster): Labels {
  const ofNode = nodeName ? cluster.get(nodes, '', nodeName)?.metadata?.labels : undefined
  const found = copied.filter((name) => ofNode?.[name] !== undefined)
  if (found.length === 0) return labels
  return { ...labels, ...Object.fromEntries(found.map((name) => [name, ofNode![name]!])) }
}
