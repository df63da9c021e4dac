// Kubernetes: pkg/registry/core/pod.ToSelectableFields
// Kubernetes: pkg/apis/core/v1.addConversionFuncs
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { changeVerbs, proxyVerbs, streamVerbs } from '../../../machinery/subresource-verbs.ts'
import type { Pod } from '../../../types.ts'
import { podColumns } from './columns.ts'
import { podStrategy } from './strategy.ts'

export const pods: Kind<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  type: 'core.Pod',
  strategy: podStrategy,
  subresources: {
    status: true,
    others: [
      { name: 'attach', kind: 'PodAttachOptions', verbs: streamVerbs },
      { name: 'binding', kind: 'Binding', verbs: ['create'] },
      { name: 'ephemeralcontainers', kind: 'Pod', verbs: changeVerbs },
      { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
      { name: 'exec', kind: 'PodExecOptions', verbs: streamVerbs },
      { name: 'log', kind: 'Pod', verbs: ['get'] },
      { name: 'portforward', kind: 'PodPortForwardOptions', verbs: streamVerbs },
      { name: 'proxy', kind: 'PodProxyOptions', verbs: proxyVerbs },
      { name: 'resize', kind: 'Pod', verbs: changeVerbs },
    ],
  },
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
