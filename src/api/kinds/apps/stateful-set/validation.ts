// Kubernetes: pkg/apis/apps/validation.ValidateStatefulSet, ValidateStatefulSetUpdate, ValidateStatefulSetStatusUpdate
// Kubernetes: pkg/apis/apps/validation.ValidateStatefulSetStatus, ValidateStatefulSetSpec
import { type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { isEqualStruct } from '../../../machinery/schema/equality.ts'
import {
  addCollisionCountErrors,
  addDeadlineErrors,
  addIntOrPercentErrors,
  addLargerThan,
  addNegative,
  addNegatives,
  addOver100Percent,
  addThresholdErrors,
  plainNumber,
  shownNumber,
} from '../../../machinery/validation/counts.ts'
import { immutableMessage, validateAnnotations, validateLabels } from '../../../machinery/validation/metadata.ts'
import { isDns1123Label } from '../../../machinery/validation/names.ts'
import { addRequiredSelectorErrors, isEmptySelector, isSelected } from '../../../machinery/validation/selectors.ts'
import { shownSelector, shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { StatefulSet, Volume } from '../../../types.ts'
import { validatePersistentVolumeClaimSpec } from '../../core/persistent-volume-claim/validation.ts'
import { addEndlessTemplateErrors, type Template, unmatchedTemplate } from '../../core/pod/template-validation.ts'
import { internalForm } from '../../core/pod/validation/internal-form.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { validatePodTemplateSpec } from '../../core/pod/validation.ts'

type StatefulSetSpec = NonNullable<StatefulSet['spec']>

interface SetOptions {
  readonly pod: PodValidationOptions
  /** An update: immutable fields are not validated again. */
  readonly isUpdate: boolean
  /** The stored template is not valid by today's rules: other fields can still be changed. */
  readonly skipsTemplate?: boolean
  readonly allowsRecreate: boolean
}

export function validateStatefulSet({ spec }: StatefulSet, { gates }: StrategyContext): FieldError[] {
  return validateSpec(spec, { pod: podValidationOptions(gates), isUpdate: false, allowsRecreate: gates.StatefulSetRecreateStrategy })
}

/** Fields that an update may not change. */
const immutable = ['podManagementPolicy', 'selector', 'serviceName', 'volumeClaimTemplates'] as const

export function validateStatefulSetUpdate(next: StatefulSet, current: StatefulSet, { gates }: StrategyContext): FieldError[] {
  const pod = podValidationOptions(gates, current.spec?.template)
  const allowsRecreate = gates.StatefulSetRecreateStrategy || current.spec?.updateStrategy?.type === 'Recreate'
  const options: SetOptions = { pod, isUpdate: true, allowsRecreate }
  let errors = validateSpec(next.spec, options)
  if (errors.length > 0 && validateSpec(current.spec, options).length > 0)
    errors = validateSpec(next.spec, { ...options, skipsTemplate: true })
  for (const field of immutable)
    if (!isEqualStruct('apps.StatefulSetSpec', { [field]: next.spec?.[field] }, { [field]: current.spec?.[field] }))
      errors.push(invalid(`spec.${field}`, shownField(field, next.spec), immutableMessage))
  return errors
}

function shownField(field: (typeof immutable)[number], spec: StatefulSetSpec | undefined): unknown {
  if (field === 'selector') return shownSelector(spec?.selector)
  if (field === 'volumeClaimTemplates')
    return spec?.volumeClaimTemplates?.map((claim) => internalForm('PersistentVolumeClaim', claim)) ?? null
  return typed(spec?.[field] ?? '')
}

function validateSpec(spec: StatefulSetSpec | undefined, options: SetOptions): FieldError[] {
  const errors: FieldError[] = []
  const policy = spec?.podManagementPolicy
  if (!policy) errors.push(required('spec.podManagementPolicy', ''))
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(invalid('spec.podManagementPolicy', typed(policy), "must be 'OrderedReady' or 'Parallel'"))
  addStrategyErrors(errors, spec?.updateStrategy, 'spec.updateStrategy', options)
  const retention = spec?.persistentVolumeClaimRetentionPolicy
  if (retention)
    for (const field of ['whenDeleted', 'whenScaled'] as const)
      if (retention[field] !== 'Retain' && retention[field] !== 'Delete')
        errors.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, typed(retention[field]), ['Retain', 'Delete']))
  if (!options.isUpdate)
    for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries())
      errors.push(...validatePersistentVolumeClaimSpec(claim.spec, `spec.volumeClaimTemplates[${index}].spec`))
  addNegative(errors, spec?.replicas, 'spec.replicas')
  addNegative(errors, spec?.minReadySeconds, 'spec.minReadySeconds')
  addNegative(errors, spec?.ordinals?.start, 'spec.ordinals.start')
  if (!options.isUpdate && spec?.serviceName)
    for (const message of isDns1123Label(spec.serviceName)) errors.push(invalid('spec.serviceName', spec.serviceName, message))
  addRequiredSelectorErrors(errors, spec?.selector, 'statefulset')
  addTemplateErrors(errors, spec, options)
  addEndlessTemplateErrors(errors, spec?.template, 'StatefulSet', 'spec.template')
  addDeadlineErrors(errors, spec?.progressDeadlineSeconds, spec?.minReadySeconds ?? 0)
  addThresholdErrors(errors, spec?.operationalThreshold)
  return errors
}

function addStrategyErrors(
  errors: FieldError[],
  strategy: StatefulSetSpec['updateStrategy'],
  path: string,
  { allowsRecreate }: SetOptions,
): void {
  const rollingUpdate = strategy?.rollingUpdate
  if (!strategy?.type) errors.push(required(path, ''))
  else if (strategy.type === 'OnDelete' || (strategy.type === 'Recreate' && allowsRecreate)) {
    if (rollingUpdate)
      errors.push(
        invalid(
          `${path}.rollingUpdate`,
          shownStruct('apps.RollingUpdateStatefulSetStrategy', { ...rollingUpdate, partition: rollingUpdate.partition ?? 0 }),
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      )
  } else if (strategy.type === 'RollingUpdate') {
    if (!rollingUpdate) return
    const { partition, maxUnavailable } = rollingUpdate
    const unavailablePath = `${path}.rollingUpdate.maxUnavailable`
    addNegative(errors, partition, `${path}.rollingUpdate.partition`)
    if (maxUnavailable === undefined) return
    addIntOrPercentErrors(errors, maxUnavailable, unavailablePath)
    if (plainNumber(maxUnavailable) === 0) errors.push(invalid(unavailablePath, shownNumber(maxUnavailable), 'cannot be 0'))
    addOver100Percent(errors, maxUnavailable, unavailablePath)
  } else {
    const known = allowsRecreate ? "must be 'RollingUpdate', 'OnDelete', or 'Recreate'" : "must be 'RollingUpdate' or 'OnDelete'"
    errors.push(invalid(path, shownStruct('apps.StatefulSetUpdateStrategy', strategy), known))
  }
}

function addTemplateErrors(errors: FieldError[], spec: StatefulSetSpec | undefined, options: SetOptions): void {
  const template: Template = spec?.template ?? {}
  const selected = isSelected(spec?.selector, template.metadata?.labels)
  if (selected === undefined) {
    errors.push(invalid('spec.selector', shownSelector(spec?.selector), ''))
    return
  }
  if (!selected && !(spec?.selector && isEmptySelector(spec.selector))) errors.push(unmatchedTemplate(template, 'spec.template'))
  if (!options.skipsTemplate) errors.push(...validatePodTemplateSpec(withIdentity(template, spec), 'spec.template', options.pod))
  errors.push(...validateLabels(template.metadata?.labels, 'spec.template.labels'))
  errors.push(...validateAnnotations(template.metadata?.annotations, 'spec.template.annotations'))
}

/** The template as its pods will have it: the controller gives them a host name, a subdomain and the volumes of their claims. */
function withIdentity(template: Template, spec: StatefulSetSpec | undefined): Template {
  const claims = spec?.volumeClaimTemplates ?? []
  if (template.spec === undefined || (!template.spec.subdomain && !template.spec.hostname && claims.length === 0)) return template
  const { subdomain: _subdomain, hostname: _hostname, ...rest } = template.spec
  const added = new Map<string, Volume>()
  for (const { metadata } of claims) {
    const name = metadata?.name ?? ''
    added.set(name, { name, persistentVolumeClaim: { claimName: name } })
  }
  const volumes = [...added.values(), ...(rest.volumes ?? []).filter(({ name }) => !added.has(name))]
  return { ...template, spec: { ...rest, ...(volumes.length > 0 && { volumes }) } }
}

export function validateStatefulSetStatusUpdate(next: StatefulSet, current: StatefulSet): FieldError[] {
  const errors: FieldError[] = []
  const status: Partial<NonNullable<StatefulSet['status']>> = next.status ?? {}
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const
  addNegatives(errors, status, ['replicas', ...parts, 'observedGeneration', 'collisionCount'])
  addLargerThan(errors, status, parts, status.replicas, 'cannot be greater than status.replicas')
  addLargerThan(errors, status, ['availableReplicas'], status.readyReplicas, 'cannot be greater than status.readyReplicas')
  addCollisionCountErrors(errors, status.collisionCount, current.status?.collisionCount)
  return errors
}
