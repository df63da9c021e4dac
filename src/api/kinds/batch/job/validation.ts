// Jobs, and which fields may change once pods can exist.
// Kubernetes: pkg/apis/batch/validation.ValidateJobCreate, ValidateJobUpdate, ValidateJobSpecUpdate, validateJobSpec
// Kubernetes: pkg/apis/batch/validation.validateGeneratedSelector, validateCompletions, validatePodTemplateUpdate
import { isConditionTrue } from '../../../machinery/conditions.ts'
import { type FieldError, invalid, mapValue, notSupported, required, shownAs, tooLong, typed } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { isEqualOptional, isEqualStruct } from '../../../machinery/schema/equality.ts'
import { addNegatives } from '../../../machinery/validation/counts.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import {
  hasInvalidSelectorValue,
  immutableMessage,
  validateImmutable,
  validateLabelSelector,
} from '../../../machinery/validation/metadata.ts'
import { isDns1123Label, isLongerThan } from '../../../machinery/validation/names.ts'
import { validateDomainPrefixedPath } from '../../../machinery/validation/names-in-fields.ts'
import { addSelectorChange, isSelected } from '../../../machinery/validation/selectors.ts'
import { shownSelector, shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { Job, LabelSelector, PodSpec } from '../../../types.ts'
import { type Template, unmatchedTemplate } from '../../core/pod/template-validation.ts'
import { internalForm } from '../../core/pod/validation/internal-form.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { validatePodTemplateSpec } from '../../core/pod/validation.ts'
import { addFailurePolicyErrors, addReplacementPolicyErrors, addSuccessPolicyErrors, type JobSpec } from './policy-validation.ts'

export function validateJob(job: Job, { gates }: StrategyContext): FieldError[] {
  const options = podValidationOptions(gates)
  const errors: FieldError[] = []
  addGeneratedSelectorErrors(errors, job)
  addSpecErrors(errors, job.spec, 'spec', options)
  addSelectorErrors(errors, job.spec, options)
  addHostnameErrors(errors, job)
  return errors
}

/** Its generated selector and labels are not validated again: neither can change. */
export function validateJobUpdate(next: Job, current: Job, { gates }: StrategyContext): FieldError[] {
  const template = podValidationOptions(gates, current.spec?.template)
  const options = {
    ...template,
    allowInvalidLabelValueInSelector: template.allowInvalidLabelValueInSelector === true || hasInvalidSelectorValue(current.spec?.selector),
  }
  const errors: FieldError[] = []
  const { spec } = next
  addSpecErrors(errors, spec, 'spec', options)
  addSelectorErrors(errors, spec, options)
  addCompletionsChange(errors, spec, current.spec)
  addSelectorChange(errors, spec?.selector, current.spec?.selector)
  addTemplateChange(errors, spec?.template, current)
  errors.push(...validateImmutable(spec?.completionMode, current.spec?.completionMode, 'spec.completionMode'))
  for (const [field, type] of [
    ['podFailurePolicy', 'batch.PodFailurePolicy'],
    ['backoffLimitPerIndex', ''],
    ['managedBy', ''],
    ['successPolicy', 'batch.SuccessPolicy'],
  ] as const) {
    if (type === '') errors.push(...validateImmutable(spec?.[field], current.spec?.[field], `spec.${field}`))
    else if (!isEqualOptional(type, spec?.[field], current.spec?.[field]))
      errors.push(invalid(`spec.${field}`, shownStruct(type, spec?.[field]), immutableMessage))
  }
  addHostnameErrors(errors, next)
  return errors
}

/** The name of the last pod of an Indexed Job is its hostname. */
function addHostnameErrors(errors: FieldError[], { metadata, spec }: Job): void {
  if (spec?.completionMode !== 'Indexed' || spec.completions === undefined || spec.completions <= 0) return
  const name = metadata?.name ?? ''
  const hostname = `${name}-${spec.completions - 1}`
  if (isDns1123Label(hostname).length > 0)
    errors.push(invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`))
}

/** The labels that tie a Job's pods to it. The server sets them, and the user may not set other values. */
function addGeneratedSelectorErrors(errors: FieldError[], { metadata, spec }: Job): void {
  if (spec?.manualSelector === true || spec?.selector === undefined) return
  const uid = metadata?.uid ?? ''
  const name = metadata?.name ?? ''
  if (uid === '') errors.push(required('metadata.uid', ''))
  const wanted: Readonly<Record<string, string>> = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
  const labels = spec.template?.metadata?.labels
  for (const [key, value] of Object.entries(wanted)) {
    const path = `spec.template.metadata.labels[${key}]`
    if (labels === undefined || !Object.hasOwn(labels, key)) errors.push(required(path, `must be '${value}'`))
    else if (labels[key] !== value) errors.push(invalid(path, mapValue(labels), `must be '${value}'`))
  }
  if (isSelected(spec.selector, wanted) === false)
    errors.push(invalid('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated'))
}

function addSelectorErrors(errors: FieldError[], spec: JobSpec | undefined, options: PodValidationOptions): void {
  const selector: LabelSelector | undefined = spec?.selector
  if (selector === undefined) errors.push(required('spec.selector', ''))
  else {
    const allowInvalidValues = options.allowInvalidLabelValueInSelector === true
    errors.push(...validateLabelSelector(selector, 'spec.selector', { allowInvalidValues }))
  }
  if (isSelected(selector, spec?.template?.metadata?.labels) === false) errors.push(unmatchedTemplate(spec?.template, 'spec.template'))
}

const counters = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const

/** A Job's spec but for its selector, which a CronJob's template does not have. */
export function addSpecErrors(errors: FieldError[], asked: JobSpec | undefined, path: string, options: PodValidationOptions): void {
  const spec: Partial<JobSpec> = asked ?? {}
  addNegatives(errors, spec, counters, path)
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  if (spec.managedBy !== undefined) {
    errors.push(...validateDomainPrefixedPath(spec.managedBy, `${path}.managedBy`))
    if (isLongerThan(spec.managedBy, 63)) errors.push(tooLong(`${path}.managedBy`, 63))
  }
  addCompletionModeErrors(errors, spec, path)
  if (spec.podFailurePolicy !== undefined) addFailurePolicyErrors(errors, spec as JobSpec, `${path}.podFailurePolicy`)
  if (spec.successPolicy !== undefined) {
    if (spec.completionMode === 'Indexed') addSuccessPolicyErrors(errors, spec as JobSpec, `${path}.successPolicy`)
    else
      errors.push(
        invalid(`${path}.successPolicy`, shownStruct('batch.SuccessPolicy', spec.successPolicy), 'requires indexed completion mode'),
      )
  }
  addReplacementPolicyErrors(errors, spec as JobSpec, path)
  errors.push(...validatePodTemplateSpec(spec.template ?? {}, `${path}.template`, options))
  addRestartPolicyErrors(errors, spec, `${path}.template.spec.restartPolicy`)
}

function addRestartPolicyErrors(errors: FieldError[], spec: Partial<JobSpec>, path: string): void {
  const policy = spec.template?.spec?.restartPolicy
  if (!policy || policy === 'Always') errors.push(required(path, 'valid values: "OnFailure", "Never"'))
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(path, typed(policy), ['OnFailure', 'Never']))
  else if (spec.podFailurePolicy !== undefined && policy !== 'Never')
    errors.push(invalid(path, typed(policy), 'only "Never" is supported when podFailurePolicy is specified'))
}

function addCompletionModeErrors(errors: FieldError[], spec: Partial<JobSpec>, path: string): void {
  const { completionMode: mode, completions, maxFailedIndexes, backoffLimitPerIndex } = spec
  addUnsupported(errors, mode, ['NonIndexed', 'Indexed'], `${path}.completionMode`)
  const limit = (field: 'parallelism' | 'maxFailedIndexes', most: number, when: string) => {
    const value = spec[field]
    if (value !== undefined && value > most) errors.push(invalid(`${path}.${field}`, value, `must be less than or equal to ${most}${when}`))
  }
  if (mode === 'Indexed') {
    if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'))
    limit('parallelism', 100_000, ' when completion mode is Indexed')
    if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions)
      errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'))
    limit('maxFailedIndexes', 100_000, '')
    if (completions !== undefined && completions > 100_000 && backoffLimitPerIndex !== undefined) {
      const when = ' when completions are above 100000 and used with backoff limit per index'
      if (maxFailedIndexes === undefined)
        errors.push(required(`${path}.maxFailedIndexes`, 'must be specified when completions is above 100000'))
      limit('parallelism', 10_000, when)
      limit('maxFailedIndexes', 10_000, when)
    }
  } else if (mode === undefined || mode === 'NonIndexed')
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[field] !== undefined) errors.push(invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode'))
}

function addCompletionsChange(errors: FieldError[], next: JobSpec | undefined, current: JobSpec | undefined): void {
  if (next?.completions === current?.completions) return
  if (next?.completionMode !== 'Indexed') errors.push(invalid('spec.completions', next?.completions, immutableMessage))
  else if (next.completions !== undefined && next.completions !== next.parallelism)
    errors.push(invalid('spec.completions', next.completions, 'can only be modified in tandem with spec.parallelism'))
}

/**
 * The template of a running Job is immutable. While the Job is suspended and has no pods, the scheduling fields and the
 * resources of its template may change.
 */
function addTemplateChange(errors: FieldError[], next: Template = {}, current: Job): void {
  const { spec, status } = current
  const before: Template = spec?.template ?? {}
  const isSuspended = isConditionTrue(status?.conditions, 'Suspended')
  const isMutable = spec?.suspend === true && (!status?.startTime || isSuspended) && (status?.active ?? 0) === 0
  if (!isMutable) {
    if (!isEqualStruct('core.PodTemplateSpec', next, before)) errors.push(invalid('spec.template', shownTemplate(next), immutableMessage))
    return
  }
  const allowed = withResources(withScheduling(before.spec, next.spec), next.spec)
  if (!isEqualStruct('core.PodSpec', next.spec, allowed))
    errors.push(invalid('spec.template.spec', shownAs(goJson(internalForm('PodSpec', next.spec))), immutableMessage))
}

function withScheduling(before: PodSpec | undefined, next: PodSpec | undefined): Partial<PodSpec> {
  const { affinity: old, ...rest } = before ?? {}
  const { nodeSelector, tolerations, schedulingGates, affinity } = next ?? {}
  const { nodeAffinity: _nodeAffinity, ...others } = old ?? {}
  const kept =
    affinity === undefined
      ? Object.values(others).some((value) => value !== undefined) && others
      : { ...others, ...(affinity.nodeAffinity && { nodeAffinity: affinity.nodeAffinity }) }
  return {
    ...rest,
    ...(old === undefined && affinity === undefined ? {} : kept && { affinity: kept }),
    ...copied({ nodeSelector, tolerations, schedulingGates }),
  } as Partial<PodSpec>
}

/** `undefined` removes a field. */
const copied = <T extends object>(fields: T): T => fields

function withResources(before: Partial<PodSpec>, next: PodSpec | undefined): Partial<PodSpec> {
  const merge = (field: 'containers' | 'initContainers') => {
    const old = before[field] ?? []
    const now = next?.[field] ?? []
    if (old.length !== now.length) return old
    return old.map((container, index) => {
      const other = now[index]
      return other?.name === container.name ? { ...container, resources: other.resources } : container
    })
  }
  return { ...before, containers: merge('containers'), initContainers: merge('initContainers') } as Partial<PodSpec>
}

/** As Kubernetes' messages show a template: the fields of its metadata, under their JSON names, and then its spec. */
const shownTemplate = ({ metadata, spec }: Template) => shownAs(goJson({ ...metadata, Spec: internalForm('PodSpec', spec) }))
