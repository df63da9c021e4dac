// KEP-2804's fields get no default: without `operationalThreshold` all replicas must be available, and without
// `progressDeadlineSeconds` there is no deadline. A spec that
// does not use the proposal is stored as Kubernetes stores it.
import { fill } from '../../../machinery/fields.ts'
import type { DaemonSet, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'

export function defaultDaemonSet(daemonSet: Writable<DaemonSet>): void {
  const spec = fill('apps.DaemonSetSpec', daemonSet.spec, { template: {}, updateStrategy: {}, revisionHistoryLimit: 10 })
  spec.template = defaultPodTemplate(spec.template)
  spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { type: 'RollingUpdate' })
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { rollingUpdate: {} })
    spec.updateStrategy.rollingUpdate = fill('apps.RollingUpdateDaemonSet', spec.updateStrategy.rollingUpdate, {
      maxUnavailable: 1,
      maxSurge: 0,
    })
  }
  daemonSet.spec = spec
}
