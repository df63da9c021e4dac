// The parts of objects that counts read. The rest is not held: a cluster may have 100,000 pods. Pure.
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Node, Pod, Stored } from '../../api/types.ts'

export function countedParts({ kind }: Resource, object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  if (kind === 'Pod') return countedPod(object as Stored<Pod>)
  const { managedFields: _, ...metadata } = object.metadata
  if (kind !== 'Node') return { ...object, metadata }
  const { name, uid, resourceVersion } = metadata
  const { conditions } = (object as Stored<Node>).status ?? {}
  return { metadata: { name, uid, resourceVersion }, status: { conditions: conditions?.filter(isReadiness) } } as Stored<Node>
}

const isReadiness = ({ type }: { readonly type?: string }) => type === 'Ready'

function countedPod({ metadata, spec, status }: Stored<Pod>): Stored<Pod> {
  const { annotations: _, managedFields: __, ...kept } = metadata
  const { nodeName, schedulingGates } = spec ?? {}
  const { phase, conditions } = status ?? {}
  return {
    metadata: kept,
    spec: { containers: [], ...(nodeName && { nodeName }), ...(schedulingGates && { schedulingGates }) },
    status: { ...(phase && { phase }), ...(conditions && { conditions: conditions.filter(isReadiness) }) },
  } as Stored<Pod>
}
