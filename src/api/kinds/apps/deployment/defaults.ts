// KEP-2804's fields get no default: without `operationalThreshold` all replicas must be available. A spec that
// does not use the proposal is stored as Kubernetes stores it.
import { fill } from '../../../machinery/fields.ts'
import type { Deployment, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'

export function defaultDeployment(deployment: Writable<Deployment>): void {
  const spec = fill('apps.DeploymentSpec', deployment.spec, {
    replicas: 1,
    template: {},
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  })
  spec.template = defaultPodTemplate(spec.template)
  spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { type: 'RollingUpdate' })
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { rollingUpdate: {} })
    spec.strategy.rollingUpdate = fill('apps.RollingUpdateDeployment', spec.strategy.rollingUpdate, {
      maxUnavailable: '25%',
      maxSurge: '25%',
    })
  }
  deployment.spec = spec
}
