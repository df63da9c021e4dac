// Kubernetes: cmd/kube-controller-manager/app.newDaemonSetControllerDescriptor
import { controllerRevisions, daemonSets, nodes, pods } from '../../api/kinds.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { observedProbe, preflightAnnotation, probeTemplate, probeSelector as selector } from '../shared/probe.ts'
import { startDaemonSetController } from './daemon-set-controller.ts'

export const daemonSetController: RemoteControllerDefinition = {
  name: 'daemonset-controller',
  start: startDaemonSetController,
  remote: {
    flag: 'daemonset',
    builtIn: 'daemonset-controller',
    kinds: [daemonSets, pods, nodes, controllerRevisions],
    permissions: [
      'get,list,watch apps daemonsets',
      'update apps daemonsets/status',
      'update apps daemonsets/finalizers',
      'get,list,watch,create,update,patch,delete apps controllerrevisions',
      'get,list,watch,create,update,patch,delete core pods',
      'list,watch core nodes',
    ],
    probe: observedProbe(daemonSets, {
      selector,
      template: { ...probeTemplate, spec: { ...probeTemplate.spec, nodeSelector: { [preflightAnnotation]: 'no-node' } } },
    }),
  },
}
