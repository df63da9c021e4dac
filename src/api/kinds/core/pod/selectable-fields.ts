import type { SelectableFields } from '../../../machinery/selectable-fields.ts'
import type { Pod } from '../../../types.ts'

export const podFields: SelectableFields<Pod> = {
  // The name that early clients used for the node.
  'spec.host': ({ spec }) => spec?.nodeName ?? '',
  'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
  'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
  'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork === true),
  'status.phase': ({ status }) => status?.phase ?? '',
  'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '',
  // Kubernetes accepts this field, and its value is always empty.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
}
