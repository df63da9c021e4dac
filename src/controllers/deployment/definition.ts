// Kubernetes: cmd/kube-controller-manager/app.newDeploymentControllerDescriptor
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { observedProbe, probeSelector as selector, probeTemplate as template } from '../shared/probe.ts'
import { startDeploymentController } from './deployment-controller.ts'

export const deploymentController: RemoteControllerDefinition = {
  name: 'deployment-controller',
  start: startDeploymentController,
  remote: {
    flag: 'deployment',
    builtIn: 'deployment-controller',
    kinds: [deployments, replicaSets, pods],
    permissions: [
      'get,list,watch,update apps deployments',
      'update apps deployments/status',
      'update apps deployments/finalizers',
      'get,list,watch,create,update,patch,delete apps replicasets',
      'get,list,watch core pods',
    ],
    probe: observedProbe(deployments, { replicas: 0, selector, template }),
  },
}
