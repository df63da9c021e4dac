// Updates of pods: only a few fields of the spec may change.
// Kubernetes: pkg/apis/core/validation.ValidatePodUpdate, ValidateContainerUpdates, ValidatePodEphemeralContainersUpdate
// Kubernetes: pkg/apis/core/validation.updatablePodSpecFields, validateNodeAffinityMutation, validateNodeSelectorMutation
// Kubernetes: pkg/apis/core/validation.validateOnlyAddedTolerations, validateOnlyDeletedSchedulingGates
import { type FieldError, forbidden, invalid, mapValue, required } from '../../../../machinery/field-error.ts'
import { goQuote } from '../../../../machinery/go-text.ts'
import type { StrategyContext } from '../../../../machinery/kind.ts'
import type { Container, Pod, PodSpec } from '../../../../types.ts'
import { checkAnnotationChanges, checkPodAnnotations, mirrorAnnotation } from './annotations.ts'
import { diffOf, isSame } from './equality.ts'
import type { EphemeralContainer, PodValidationOptions } from './facts.ts'
import { internalForm } from './internal-form.ts'
import { hasSpaceAround, isGiven } from './names.ts'
import { podValidationOptions } from './options.ts'
import { checkPod } from './pod.ts'
import { checkTolerations } from './tolerations.ts'

const emptySpec = {} as PodSpec

/**
 * Validates an update as strictly as a creation. If that finds errors, it is validated again with the options that the stored pod
 * may keep.
 */
export function validateLeniently(
  current: Pod,
  { gates }: Pick<StrategyContext, 'gates'>,
  validate: (options: PodValidationOptions) => FieldError[],
): FieldError[] {
  const errors = validate({ ...podValidationOptions(gates), resourceIsPod: true })
  return errors.length === 0 ? errors : validate({ ...podValidationOptions(gates, current), resourceIsPod: true })
}

/** Annotations are validated with the pod and again as a change: their errors are reported twice, as in Kubernetes. */
export function checkAnnotationUpdate(errors: FieldError[], next: Pod, current: Pod, options: PodValidationOptions): void {
  const at = () => 'metadata.annotations'
  checkAnnotationChanges(errors, next.metadata?.annotations, current.metadata?.annotations, at)
  checkPodAnnotations(errors, next.metadata?.annotations, next.spec ?? emptySpec, at, options)
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

export function validatePodUpdate(next: Pod, current: Pod, context: Pick<StrategyContext, 'gates'>): FieldError[] {
  return validateLeniently(current, context, (options) => findUpdateErrors(next, current, options))
}

function findUpdateErrors(next: Pod, current: Pod, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  const spec = next.spec ?? emptySpec
  const old = current.spec ?? emptySpec
  checkPod(errors, next, options)
  checkAnnotationUpdate(errors, next, current, options)
  if (!checkImages(errors, spec.containers, old.containers, 'spec.containers')) return errors
  if (!checkImages(errors, spec.initContainers, old.initContainers, 'spec.initContainers')) return errors
  if (!checkDeadline(errors, spec.activeDeadlineSeconds, old.activeDeadlineSeconds)) return errors
  checkAddedTolerations(errors, spec, old, options)
  checkRemovedGates(errors, spec, old)
  if (isSame('PodSpec', spec, old)) return errors
  const compared = withChangeableOf(errors, spec, old)
  if (!isSame('PodSpec', compared, old))
    errors.push(forbidden('spec', `pod updates may not change fields other than ${changeable}\n${diffOf('PodSpec', old, compared)}`))
  return errors
}

/** Returns false if the containers cannot be compared: then the other checks are skipped. */
function checkImages(
  errors: FieldError[],
  next: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  path: string,
): boolean {
  if ((next?.length ?? 0) !== (old?.length ?? 0)) {
    errors.push(forbidden(path, 'pod updates may not add or remove containers'))
    return false
  }
  for (const [index, { image }] of (next ?? []).entries()) {
    if (!image) errors.push(required(`${path}[${index}].image`, ''))
    else if (hasSpaceAround(image)) errors.push(invalid(`${path}[${index}].image`, image, 'must not have leading or trailing whitespace'))
  }
  return true
}

/** The deadline may be added, and later only be shortened. Returns false if the other checks are skipped. */
function checkDeadline(errors: FieldError[], next: number | undefined, old: number | undefined): boolean {
  const path = 'spec.activeDeadlineSeconds'
  if (!isGiven(next)) {
    if (isGiven(old)) errors.push(invalid(path, undefined, 'must not update from a positive integer to nil value'))
    return true
  }
  if (next < 0 || next > 2147483647) {
    errors.push(invalid(path, next, 'must be between 0 and 2147483647, inclusive'))
    return false
  }
  if (!isGiven(old) || old >= next) return true
  errors.push(invalid(path, next, 'must be less than or equal to previous value'))
  return false
}

function checkAddedTolerations(errors: FieldError[], spec: PodSpec, old: PodSpec, options: PodValidationOptions): void {
  const keyOf = ({ key = '', operator = '', value = '', effect = '' }: NonNullable<PodSpec['tolerations']>[number]) =>
    JSON.stringify([key, operator, value, effect])
  const present = old.tolerations?.length ? new Set(spec.tolerations?.map(keyOf)) : undefined
  if (old.tolerations?.some((toleration) => !present?.has(keyOf(toleration))))
    errors.push(forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'))
  else if (spec.tolerations)
    checkTolerations(errors, spec.tolerations, () => 'spec.tolerations', options.allowTolerationComparison === true)
}

function checkRemovedGates(errors: FieldError[], spec: PodSpec, old: PodSpec): void {
  const lastIndex = new Map(spec.schedulingGates?.map(({ name }, index) => [name, index]))
  for (const { name } of old.schedulingGates ?? []) lastIndex.delete(name)
  for (const [name, index] of lastIndex)
    errors.push(forbidden(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`))
}

/** `spec` with all mutable fields restored, so that only forbidden changes are left. */
function withChangeableOf(errors: FieldError[], spec: PodSpec, old: PodSpec): PodSpec {
  const withImagesOf = (list: 'containers' | 'initContainers') =>
    spec[list]?.map((container, index) => ({ ...container, image: old[list]?.[index]?.image }))
  const grace = old.terminationGracePeriodSeconds
  const compared = {
    ...spec,
    containers: withImagesOf('containers'),
    initContainers: withImagesOf('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(isGiven(grace) && grace < 0 && spec.terminationGracePeriodSeconds === 1 && { terminationGracePeriodSeconds: grace }),
  } as PodSpec
  return old.schedulingGates?.length ? withGatedOf(errors, compared, old) : compared
}

/** While a pod has scheduling gates, its node affinity may be restricted to fewer nodes. */
function withGatedOf(errors: FieldError[], spec: PodSpec, old: PodSpec): PodSpec {
  const selector = spec.nodeSelector ?? {}
  const oldSelector = old.nodeSelector ?? {}
  if (Object.keys(oldSelector).some((key) => !Object.hasOwn(selector, key) || selector[key] !== oldSelector[key]))
    errors.push(
      invalid(
        'spec.nodeSelector',
        mapValue(spec.nodeSelector),
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ),
    )
  const next = spec.affinity?.nodeAffinity
  const before = old.affinity?.nodeAffinity
  const compared = { ...spec, nodeSelector: old.nodeSelector } as PodSpec
  if (isSame('NodeAffinity', next, before)) return compared
  checkNodeAffinityChange(errors, next, before)
  const { affinity } = spec
  if (!affinity) return { ...compared, affinity: { nodeAffinity: before } } as PodSpec
  if (!old.affinity && !affinity.podAffinity && !affinity.podAntiAffinity) {
    const { affinity: _, ...rest } = compared
    return rest
  }
  return { ...compared, affinity: { ...affinity, nodeAffinity: before } } as PodSpec
}

type NodeAffinity = NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>

function checkNodeAffinityChange(errors: FieldError[], next: NodeAffinity | undefined, old: NodeAffinity | undefined): void {
  const oldTerms = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const terms = next?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  if (oldTerms.length === 0) return
  if (oldTerms.length !== (terms?.length ?? 0)) {
    const shown = terms?.map((term) => internalForm('NodeSelectorTerm', term)) ?? null
    errors.push(invalid(path, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'))
    return
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    const term = terms![index]!
    const onlyAdds = (['matchExpressions', 'matchFields'] as const).every((list) => {
      const were = oldTerm[list] ?? []
      const are = term[list]?.slice(0, were.length) ?? []
      return isSame('NodeSelectorTerm', { [list]: are }, { [list]: were })
    })
    const wasEmpty = !oldTerm.matchExpressions?.length && !oldTerm.matchFields?.length
    const isEmpty = !term.matchExpressions?.length && !term.matchFields?.length
    if (!onlyAdds || (wasEmpty && !isEmpty))
      errors.push(
        invalid(`${path}[${index}]`, internalForm('NodeSelectorTerm', term), 'only additions are allowed (no mutations or deletions)'),
      )
  }
}

/** A write to `ephemeralcontainers`: they may be added, and then stay as they are. */
export function validatePodEphemeralContainersUpdate(next: Pod, current: Pod, context: Pick<StrategyContext, 'gates'>): FieldError[] {
  const annotations = current.metadata?.annotations
  if (annotations && Object.hasOwn(annotations, mirrorAnnotation))
    return [forbidden('[]', 'static pods do not support ephemeral containers')]
  return validateLeniently(current, context, (options) => findEphemeralContainerErrors(next, current, options))
}

function findEphemeralContainerErrors(next: Pod, current: Pod, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  checkPod(errors, next, options)
  checkAnnotationUpdate(errors, next, current, options)
  const byName = new Map<string, EphemeralContainer>(next.spec?.ephemeralContainers?.map((one) => [one.name, one]))
  const path = 'spec.ephemeralContainers'
  for (const old of current.spec?.ephemeralContainers ?? []) {
    const one = byName.get(old.name)
    if (one === undefined) errors.push(forbidden(path, `existing ephemeral containers ${goQuote(old.name)} may not be removed\n`))
    else if (!isSame('EphemeralContainer', old, one))
      errors.push(
        forbidden(path, `existing ephemeral containers ${goQuote(old.name)} may not be changed\n${diffOf('EphemeralContainer', old, one)}`),
      )
  }
  return errors
}
