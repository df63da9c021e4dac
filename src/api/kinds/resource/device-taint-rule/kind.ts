// Kubernetes: pkg/registry/resource/devicetaintrule.deviceTaintRuleStrategy.*, deviceTaintRuleStatusStrategy.*
// Kubernetes: pkg/apis/resource/v1.SetDefaults_DeviceTaint
// Kubernetes: pkg/printers/internalversion.printDeviceTaint
import { formatTime } from '../../../../base/clock.ts'
import { formatAge } from '../../../../base/duration.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, tooMany } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { DeviceTaintRule } from '../../../types.ts'
import { validateLabelName, validatePoolName } from '../shared/names.ts'
import { validateDeviceTaint } from '../shared/taints.ts'

const own = ownStatus<DeviceTaintRule>('resource.DeviceTaintRuleStatus')

export const deviceTaintRules: Kind<DeviceTaintRule> = {
  ...resource('resource.DeviceTaintRule'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    ...own,
    ...onlyStatus(),
    default({ spec }, { nowMs }) {
      if (spec?.taint) spec.taint = fill('resource.DeviceTaint', spec.taint, { timeAdded: formatTime(nowMs) })
    },
    prepareForUpdate(next, current, context) {
      own.prepareForUpdate?.(next, current, context)
      const { taint } = next.spec ?? {}
      // The time of an effect, not of the rule.
      if (taint && taint.effect !== current.spec?.taint?.effect && taint.timeAdded === current.spec?.taint?.timeAdded)
        next.spec = { ...next.spec, taint: { ...taint, timeAdded: formatTime(context.nowMs) } }
    },
    validate: (rule) => validateDeviceTaintRule(rule, undefined),
    validateUpdate: validateDeviceTaintRule,
    validateStatusUpdate: validateStatus,
  },
  columns: columnsOf([
    nameColumn,
    text('Key', 'The key of the taint.', ({ spec }) => spec?.taint?.key ?? ''),
    text('Value', 'The value of the taint.', ({ spec }) => spec?.taint?.value ?? ''),
    text('Effect', 'What the taint does to claims that do not tolerate it.', ({ spec }) => spec?.taint?.effect ?? ''),
    text('TimeAdded', 'When the effect was added.', ({ spec }, nowMs) =>
      spec?.taint?.timeAdded === undefined ? '' : formatAge(spec.taint.timeAdded, nowMs),
    ),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

// Kubernetes: pkg/apis/resource/validation.ValidateDeviceTaintRule, ValidateDeviceTaintRuleUpdate, validateDeviceTaintSelector
export function validateDeviceTaintRule({ spec }: DeviceTaintRule, current: DeviceTaintRule | undefined): FieldError[] {
  const { driver, pool, device } = spec?.deviceSelector ?? {}
  const path = 'spec.deviceSelector'
  return [
    ...(driver === undefined ? [] : validateDriverName(driver, `${path}.driver`)),
    ...(pool === undefined ? [] : validatePoolName(pool, `${path}.pool`)),
    ...(device === undefined ? [] : validateLabelName(device, `${path}.device`)),
    ...validateDeviceTaint(spec?.taint ?? { key: '', effect: '' }, current?.spec?.taint, 'spec.taint'),
  ]
}

const maxConditions = 8

// Kubernetes: pkg/apis/resource/validation.ValidateDeviceTaintRuleStatusUpdate
function validateStatus({ status }: DeviceTaintRule): FieldError[] {
  const conditions = status?.conditions ?? []
  const errors = validateConditions(conditions, 'status.conditions')
  if (conditions.length > maxConditions) errors.push(tooMany('status.conditions', conditions.length, maxConditions))
  return errors
}
