// The rules for a pod that apply to every kind of write.
// Kubernetes: pkg/apis/core/validation.validatePodMetadataAndSpec
import { type At, type FieldError, forbidden } from '../../../../machinery/field-error.ts'
import type { Pod, PodSpec } from '../../../../types.ts'
import { checkPodAnnotations } from './annotations.ts'
import { checkImageSpace } from './container.ts'
import type { PodValidationOptions } from './facts.ts'
import { checkPodSpec } from './spec.ts'

const metadataAnnotations: At = () => 'metadata.annotations'
const specPath: At = () => 'spec'
const emptySpec = {} as PodSpec

export function checkPod(errors: FieldError[], pod: Pod, options: PodValidationOptions): void {
  const spec = pod.spec ?? emptySpec
  checkPodAnnotations(errors, pod.metadata?.annotations, spec, metadataAnnotations, options)
  checkPodSpec(errors, spec, pod.metadata, specPath, options)
  if (!spec.serviceAccountName && !spec.serviceAccount) checkNoTokens(errors, spec)
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list]
    if (!containers) continue
    for (let index = 0; index < containers.length; index++) checkImageSpace(errors, containers[index]!, () => `spec.${list}[${index}]`)
  }
}

function checkNoTokens(errors: FieldError[], { volumes }: PodSpec): void {
  if (!volumes) return
  for (const [index, { projected }] of volumes.entries())
    for (const [sourceIndex, { serviceAccountToken }] of (projected?.sources ?? []).entries())
      if (serviceAccountToken)
        errors.push(
          forbidden(
            `spec.volumes[${index}].projected.sources[${sourceIndex}].serviceAccountToken`,
            'must not be specified when serviceAccountName is not set',
          ),
        )
}
