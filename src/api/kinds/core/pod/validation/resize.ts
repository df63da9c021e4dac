// A write to `resize`: the amounts of cpu and memory may change, and nothing else.
// Kubernetes: pkg/apis/core/validation.ValidatePodResize, validatePodLevelResourcesResize, validateContainerResize
import { defined } from '../../../../../base/defined.ts'
import { type FieldError, forbidden, invalid, typed } from '../../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../../machinery/kind.ts'
import type { ResourceList } from '../../../../machinery/validation/resources.ts'
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../../types.ts'
import { qualityOfService } from '../quality-of-service.ts'
import { mirrorAnnotation } from './annotations.ts'
import { isSame } from './equality.ts'
import type { PodValidationOptions } from './facts.ts'
import { checkPod } from './pod.ts'
import { validateLeniently } from './update.ts'

const emptySpec = {} as PodSpec

export function validatePodResizeUpdate(next: Pod, current: Pod, context: Pick<StrategyContext, 'gates'>): FieldError[] {
  const annotations = current.metadata?.annotations
  if (annotations && Object.hasOwn(annotations, mirrorAnnotation)) return [forbidden('[]', 'static pods cannot be resized')]
  if (current.spec?.os?.name === 'windows') return [forbidden('[]', 'windows pods cannot be resized')]
  return validateLeniently(current, context, (options) => findResizeErrors(next, current, options))
}

function findResizeErrors(next: Pod, current: Pod, options: PodValidationOptions): FieldError[] {
  const spec = next.spec ?? emptySpec
  const old = current.spec ?? emptySpec
  const errors: FieldError[] = []
  checkPod(errors, next, options)
  if ((current.status?.qosClass || qualityOfService(old)) !== qualityOfService(spec))
    errors.push(invalid('spec', typed(next.status?.qosClass), 'Pod QOS Class may not change as a result of resizing'))
  const running = current.status?.containerStatuses?.find(({ state }) => state?.running)
  if (running && !running.resources) errors.push(forbidden('spec', 'Pod running on node without support for resize'))
  const podResources = checkPodLevel(errors, spec.resources, old.resources)
  if (!checkOrder(errors, spec, old)) return errors
  for (const [index, container] of (old.initContainers ?? []).entries())
    checkRemoved(errors, spec.initContainers![index]!, container, `spec.initContainers[${index}].resources`)
  for (const [index, container] of (old.containers ?? []).entries())
    checkRemoved(errors, spec.containers[index]!, container, `spec.containers[${index}].resources`)
  const compared = {
    ...spec,
    resources: podResources,
    containers: spec.containers?.map((container, index) => withAmountsOf(container, old.containers[index]!)),
    initContainers: spec.initContainers?.map((container, index) => withAmountsOf(container, old.initContainers![index]!)),
  } as PodSpec
  for (const [index, container] of (compared.containers ?? []).entries())
    if (!isSame('Container', container, old.containers[index])) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'))
  for (const [index, container] of (compared.initContainers ?? []).entries()) checkInitContainer(errors, container, spec, old, index)
  if (errors.length === 0 && !isSame('PodSpec', compared, old)) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'))
  return errors
}

function checkInitContainer(errors: FieldError[], compared: Container, spec: PodSpec, old: PodSpec, index: number): void {
  const path = `spec.initContainers[${index}]`
  const before = old.initContainers![index]!
  if (!isSame('Container', compared, before))
    errors.push(forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable'))
  if (compared.restartPolicy === 'Always' || isSame('Container', spec.initContainers![index], before)) return
  for (const { restartPolicy } of compared.resizePolicy ?? [])
    if (restartPolicy === 'RestartContainer')
      errors.push(forbidden(path, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'))
}

/** False when the containers do not correspond by name, so that they cannot be compared. */
function checkOrder(errors: FieldError[], spec: PodSpec, old: PodSpec): boolean {
  const before = errors.length
  for (const list of ['containers', 'initContainers'] as const) {
    const next = spec[list] ?? []
    const were = old[list] ?? []
    if (next.length !== were.length) errors.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`))
    else
      for (const [index, { name }] of were.entries())
        if (next[index]!.name !== name)
          errors.push(forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`))
  }
  return errors.length === before
}

/** Compares the pod-level resources with cpu and memory restored: nothing else may change. */
function checkPodLevel(
  errors: FieldError[],
  next: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): ResourceRequirements | undefined {
  const isSet = (resources: ResourceRequirements | undefined) =>
    Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0
  if (!isSet(next) && !isSet(old)) return next
  if (old && !next) {
    errors.push(forbidden('spec.resources', 'pod-level resources cannot be removed'))
    return next
  }
  if (old && isAnyRemoved(next?.requests, old.requests))
    errors.push(forbidden('spec.resources.requests', 'pod-level resource requests cannot be removed'))
  if (old && isAnyRemoved(next?.limits, old.limits))
    errors.push(forbidden('spec.resources.limits', 'pod-level resource limits cannot be removed'))
  const limits = amountsOf(next?.limits, old?.limits)
  const requests = amountsOf(next?.requests, old?.requests)
  const isEmpty = !Object.keys(limits ?? {}).length && !Object.keys(requests ?? {}).length && !next?.claims?.length
  const { limits: _limits, requests: _requests, ...others } = next ?? {}
  const compared = old === undefined && isEmpty ? undefined : { ...others, ...defined({ limits, requests }) }
  if (!isSame('ResourceRequirements', compared, old))
    errors.push(forbidden('spec', 'only cpu and memory resources are mutable at pod-level'))
  return compared
}

function checkRemoved(errors: FieldError[], next: Container, old: Container, path: string): void {
  if (isAnyRemoved(next.resources?.requests, old.resources?.requests))
    errors.push(forbidden(`${path}.requests`, 'resource requests cannot be removed'))
  if (isAnyRemoved(next.resources?.limits, old.resources?.limits))
    errors.push(forbidden(`${path}.limits`, 'resource limits cannot be removed'))
}

const isAnyRemoved = (next: ResourceList | undefined, old: ResourceList | undefined) =>
  Object.keys(old ?? {}).some((name) => !Object.hasOwn(next ?? {}, name))

/** The container with the cpu and memory of `old`, to find other changes. Resource claims are left out, as in Kubernetes. */
const withAmountsOf = (container: Container, old: Container): Container => ({
  ...container,
  resources: defined({
    limits: amountsOf(container.resources?.limits, old.resources?.limits),
    requests: amountsOf(container.resources?.requests, old.resources?.requests),
  }),
})

function amountsOf(list: ResourceList | undefined, old: ResourceList | undefined): { [name: string]: string } | undefined {
  if (!list && !old) return undefined
  const amounts = Object.fromEntries(Object.entries(list ?? {}).filter(([name]) => name !== 'cpu' && name !== 'memory'))
  for (const name of ['cpu', 'memory']) if (old && Object.hasOwn(old, name)) amounts[name] = old[name]!
  return amounts
}
