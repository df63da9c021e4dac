// KEP-2804's fields get no default: without `operationalThreshold` all replicas must be available, and without
// `progressDeadlineSeconds` there is no deadline. A spec that
// does not use the proposal is stored as Kubernetes stores it.
// Kubernetes: pkg/apis/apps/v1.SetDefaults_StatefulSet
import { fill } from '../../../machinery/fields.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { StatefulSet, Writable } from '../../../types.ts'
import { defaultClaimSpec } from '../../core/persistent-volume-claim/defaults.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'

type Claims = NonNullable<NonNullable<Writable<StatefulSet>['spec']>['volumeClaimTemplates']>

export function defaultStatefulSet(statefulSet: Writable<StatefulSet>, { gates }: StrategyContext): void {
  const untyped = !statefulSet.spec?.updateStrategy?.type
  const spec = fill('apps.StatefulSetSpec', statefulSet.spec, {
    replicas: 1,
    template: {},
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  })
  spec.template = defaultPodTemplate(spec.template)
  if (spec.volumeClaimTemplates) spec.volumeClaimTemplates = defaultClaims(spec.volumeClaimTemplates)
  // A strategy that names its type and no parameters is left without them.
  if (untyped)
    spec.updateStrategy = fill('apps.StatefulSetUpdateStrategy', spec.updateStrategy, { type: 'RollingUpdate', rollingUpdate: {} })
  const { type, rollingUpdate } = spec.updateStrategy ?? {}
  if (type === 'RollingUpdate' && rollingUpdate)
    spec.updateStrategy!.rollingUpdate = fill('apps.RollingUpdateStatefulSetStrategy', rollingUpdate, {
      partition: 0,
      ...(gates.MaxUnavailableStatefulSet && { maxUnavailable: 1 }),
    })
  spec.persistentVolumeClaimRetentionPolicy = fill(
    'apps.StatefulSetPersistentVolumeClaimRetentionPolicy',
    spec.persistentVolumeClaimRetentionPolicy,
    { whenDeleted: 'Retain', whenScaled: 'Retain' },
  )
  statefulSet.spec = spec
}

/** Claims inside a set are whole objects: they have kind, apiVersion and a status. */
function defaultClaims(claims: Claims): Claims {
  return claims.map((claim) => ({
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: claim.metadata ?? {},
    spec: defaultClaimSpec(claim.spec),
    status: fill('core.PersistentVolumeClaimStatus', claim.status, { phase: 'Pending' }),
  }))
}
