// Kubernetes: cmd/kube-controller-manager/app.newStatefulSetControllerDescriptor
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from '../../api/kinds.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { observedProbe, probeSelector as selector, probeTemplate as template } from '../shared/probe.ts'
import { startStatefulSetController } from './stateful-set-controller.ts'

export const statefulSetController: RemoteControllerDefinition = {
  name: 'statefulset-controller',
  start: startStatefulSetController,
  remote: {
    flag: 'statefulset',
    builtIn: 'statefulset-controller',
    kinds: [statefulSets, pods, persistentVolumeClaims, controllerRevisions],
    permissions: [
      'get,list,watch apps statefulsets',
      'update apps statefulsets/status',
      'update apps statefulsets/finalizers',
      'get,list,watch,create,update,patch,delete apps controllerrevisions',
      'get,list,watch,create,update,patch,delete core pods',
      // To delete: only for the admission plugin OwnerReferencesPermissionEnforcement, as for all finalizers.
      'get,list,watch,create,update,delete core persistentvolumeclaims',
    ],
    probe: observedProbe(statefulSets, { replicas: 0, selector, serviceName: 'none', template }),
  },
}
