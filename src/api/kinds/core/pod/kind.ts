// Kubernetes: pkg/registry/core/pod.ToSelectableFields
// Kubernetes: pkg/apis/core/v1.addConversionFuncs
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Pod } from '../../../types.ts'
import { podColumns } from './columns.ts'
import { podStrategy } from './strategy.ts'

export const pods: Kind<Pod> = {
  ...resource('core.Pod'),
  strategy: podStrategy,
  selectableFields: {
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
  },
  columns: podColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}
