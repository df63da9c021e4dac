// Kubernetes: cmd/kube-controller-manager/app.newReplicaSetControllerDescriptor, newReplicationControllerDescriptor
import { pods, replicaSets, replicationControllers } from '../../api/kinds.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { observedProbe, probeLabels, probeSelector as selector, probeTemplate as template } from '../shared/probe.ts'
import { startReplicaSetController, startReplicationControllerController } from './replica-set-controller.ts'

const podPermissions = 'get,list,watch,create,update,patch,delete core pods'

export const replicaSetController: RemoteControllerDefinition = {
  name: 'replicaset-controller',
  start: startReplicaSetController,
  remote: {
    flag: 'replicaset',
    builtIn: 'replicaset-controller',
    kinds: [replicaSets, pods],
    permissions: [
      'get,list,watch apps replicasets',
      'update apps replicasets/status',
      'update apps replicasets/finalizers',
      podPermissions,
    ],
    probe: observedProbe(replicaSets, { replicas: 0, selector, template }),
  },
}

export const replicationControllerController: RemoteControllerDefinition = {
  name: 'replication-controller',
  start: startReplicationControllerController,
  remote: {
    flag: 'replicationcontroller',
    builtIn: 'replicationcontroller-controller',
    kinds: [replicationControllers, pods],
    permissions: [
      'get,list,watch core replicationcontrollers',
      'update core replicationcontrollers/status',
      'update core replicationcontrollers/finalizers',
      podPermissions,
    ],
    probe: observedProbe(replicationControllers, { replicas: 0, selector: probeLabels, template }),
  },
}
