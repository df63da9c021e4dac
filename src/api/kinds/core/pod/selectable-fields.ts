import type { SelectableFields } from '../../../machinery/selectable-fields.ts'
import type { Pod } from '../../../types.ts'

export const podFields: SelectableFields<Pod> = {
  // What the first clients called the node.
  'spec.host': ({ spec }) => spec?.nodeName ?? '',
  'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
  'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
  'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork === true),
  'status.phase': ({ status }) => status?.phase ?? '',
  'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '',
  // Kubernetes takes the name and has no value for it.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
}
