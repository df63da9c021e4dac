// Pods and their templates, in Kubernetes' order and words. `metadata` is checked by the server for all kinds alike; here
// are only the annotations that mean something on a pod.
// Kubernetes: pkg/apis/core/validation.ValidatePodCreate, ValidatePodTemplateSpec, ValidatePodBinding
import { type FieldError, forbidden, notSupported, required } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { validateAnnotations, validateLabels } from '../../../machinery/validation/metadata.ts'
import type { Binding, Pod, PodSpec } from '../../../types.ts'
import { checkPodAnnotations, checkProfilesMatch } from './validation/annotations.ts'
import type { PodTemplateLike } from './validation/facts.ts'
import { type PodValidationOptions, podValidationOptions } from './validation/options.ts'
import { checkPod } from './validation/pod.ts'
import { checkPodSpec } from './validation/spec.ts'

export { validatePodResizeUpdate } from './validation/resize.ts'
export { validatePodStatusUpdate } from './validation/status.ts'
export { validatePodEphemeralContainersUpdate, validatePodUpdate } from './validation/update.ts'
export { type PodValidationOptions, podValidationOptions }

const specPath = () => 'spec'
const emptySpec = {} as PodSpec

/** The template of a controller. `options` come from podValidationOptions(gates, the stored template). */
export function validatePodTemplateSpec(template: PodTemplateLike, path: string, options: PodValidationOptions = {}): FieldError[] {
  const { labels, annotations } = template.metadata ?? {}
  const spec = template.spec ?? emptySpec
  const errors: FieldError[] = []
  if (labels) errors.push(...validateLabels(labels, `${path}.labels`))
  if (annotations) {
    errors.push(...validateAnnotations(annotations, `${path}.annotations`))
    checkPodAnnotations(errors, annotations, spec, () => `${path}.annotations`, options)
  }
  const at = () => `${path}.spec`
  checkPodSpec(errors, spec, undefined, at, options)
  checkProfilesMatch(errors, annotations, spec, at)
  if (spec.ephemeralContainers?.length)
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'))
  return errors
}

/** A pod at its creation. */
export function validatePod(pod: Pod, context: Pick<StrategyContext, 'gates'>): FieldError[] {
  const errors: FieldError[] = []
  const spec = pod.spec ?? emptySpec
  checkPod(errors, pod, { ...podValidationOptions(context.gates), resourceIsPod: true })
  if (spec.ephemeralContainers?.length) errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'))
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'))
  checkProfilesMatch(errors, pod.metadata?.annotations, spec, specPath)
  return errors
}

/** The request that puts a pod on a node. */
export function validatePodBinding(binding: Binding): FieldError[] {
  const errors: FieldError[] = []
  const { kind, name } = binding.target ?? {}
  if (kind && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']))
  if (!name) errors.push(required('target.name', ''))
  return errors
}
