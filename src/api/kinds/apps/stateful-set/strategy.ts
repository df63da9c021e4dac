// Kubernetes: pkg/registry/apps/statefulset.statefulSetStrategy.*, statefulSetStatusStrategy.*
import { dropConditionFields, dropDeadline, dropUnless } from '../../../machinery/disabled-fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy, StrategyContext } from '../../../machinery/kind.ts'
import type { StatefulSet, Writable } from '../../../types.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { claimSpecWarnings, templateWarnings } from '../../core/pod/warnings.ts'
import { defaultStatefulSet } from './defaults.ts'
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from './validation.ts'

export const statefulSetStrategy: Strategy<StatefulSet> = {
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
