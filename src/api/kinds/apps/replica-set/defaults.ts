import { fill } from '../../../machinery/fields.ts'
import type { ReplicaSet, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'

export function defaultReplicaSet(replicaSet: Writable<ReplicaSet>): void {
  const spec = fill('apps.ReplicaSetSpec', replicaSet.spec, { replicas: 1, template: {} })
  spec.template = defaultPodTemplate(spec.template)
  replicaSet.spec = spec
}
