// Kubernetes: pkg/printers/internalversion.printStatefulSet
// Kubernetes: pkg/registry/apps/statefulset.statefulSetStrategy.*, statefulSetStatusStrategy.*
import { ageColumn, columnsOf, containerColumns, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { dropConditionFields, dropDeadline, dropUnless } from '../../../machinery/disabled-fields.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { StatefulSet, Writable } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { defaultClaimSpec } from '../../core/persistent-volume-claim/defaults.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { claimSpecWarnings, templateWarnings } from '../../core/pod/warnings.ts'
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from './validation.ts'

export const statefulSets: Kind<StatefulSet> = {
  ...resource('apps.StatefulSet'),
  strategy: {
    names: 'dns-label',
    generation: true,
    generationChanges: isSpecChanged,
    defaultSpec: defaultStatefulSet,
    ...ownStatus('apps.StatefulSetStatus', dropDisabled),
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    validateStatusUpdate: validateStatefulSetStatusUpdate,
    warnings(statefulSet, current) {
      const { template, volumeClaimTemplates, revisionHistoryLimit } = statefulSet.spec ?? {}
      const changed = current === undefined || isSpecChanged(statefulSet, current)
      // In updates, Kubernetes names another path.
      const end = current === undefined ? '' : '.Spec'
      return [
        ...(changed ? templateWarnings('spec.template', template) : []),
        ...(volumeClaimTemplates ?? []).flatMap(({ spec }, i) => claimSpecWarnings(`spec.volumeClaimTemplates[${i}]${end}`, spec)),
        ...(revisionHistoryLimit !== undefined && revisionHistoryLimit < 0
          ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
          : []),
      ]
    },
  },
  scale: selectorScale(),
  columns: columnsOf([
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    ageColumn,
    ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers),
  ]),
}

function dropDisabled(next: Writable<StatefulSet>, current: StatefulSet | undefined, { gates }: StrategyContext): void {
  dropConditionFields(gates, next.spec, current?.spec)
  dropDeadline(gates, next.spec, current?.spec)
  dropUnless(
    gates.MaxUnavailableStatefulSet,
    next.spec?.updateStrategy?.rollingUpdate,
    current?.spec?.updateStrategy?.rollingUpdate,
    'maxUnavailable',
  )
  dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
}

// KEP-2804's fields get no default: without `operationalThreshold` all replicas must be available, and without
// `progressDeadlineSeconds` there is no deadline. A spec that
// does not use the proposal is stored as Kubernetes stores it.
// Kubernetes: pkg/apis/apps/v1.SetDefaults_StatefulSet
type Claims = NonNullable<NonNullable<Writable<StatefulSet>['spec']>['volumeClaimTemplates']>

function defaultStatefulSet(statefulSet: Writable<StatefulSet>, { gates }: StrategyContext): void {
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
