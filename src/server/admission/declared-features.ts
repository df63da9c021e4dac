// Refuses an update of a pod that needs what the kubelet of its node does not declare (NodeDeclaredFeatureValidator).
// Kubernetes: plugin/pkg/admission/nodedeclaredfeatures.Plugin.Validate, Plugin.validatePodUpdate
// Kubernetes: k8s.io/component-helpers/nodedeclaredfeatures/features.AllFeatures
import { nodes, pods } from '../../api/kinds.ts'
import type { Container, Pod } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { type AdmissionPlugin, among } from './plugin.ts'

type PodSpec = NonNullable<Pod['spec']>

export const declaredFeatures: AdmissionPlugin = {
  concerns: among(pods),
  check({ subresource, current, next, cluster }) {
    if (current === undefined || (subresource !== undefined && subresource !== 'resize')) return undefined
    const { spec } = next as Pod
    // The generation counts changes of the spec.
    if (!spec?.nodeName || current.metadata?.generation === next.metadata?.generation) return undefined
    const needed = neededFor(spec, (current as Pod).spec!)
    if (needed.length === 0) return undefined
    const node = cluster.get(nodes, '', spec.nodeName)
    if (node === undefined) return `node ${JSON.stringify(spec.nodeName)} not found`
    const declared = node.status?.declaredFeatures ?? []
    const lacking = needed.filter((name) => !declared.includes(name))
    if (lacking.length === 0) return undefined
    return `pod update requires features ${lacking.join(', ')} which are not available on node ${JSON.stringify(spec.nodeName)}`
  },
}

function neededFor(next: PodSpec, current: PodSpec): readonly string[] {
  const ofInit = ({ initContainers = [] }: PodSpec) =>
    (initContainers as readonly Container[]).filter(({ restartPolicy }) => restartPolicy !== 'Always').map(({ resources }) => resources)
  return [
    ...(isEqualJson(next.resources, current.resources) ? [] : ['InPlacePodLevelResourcesVerticalScaling']),
    ...(isEqualJson(ofInit(next), ofInit(current)) ? [] : ['InPlacePodVerticalScalingInitContainers']),
  ]
}
