// The endpoints of a pod that are requested as objects. Those that connect to its containers are in ./pod-connections.ts.
// Kubernetes: pkg/registry/core/pod.podEphemeralContainersStrategy.*, podResizeStrategy.*
import { validatePodEphemeralContainersUpdate, validatePodResizeUpdate } from '../../../api/kinds/core/pod/validation.ts'
import { pods } from '../../../api/kinds.ts'
import { replaceFields } from '../../../api/machinery/fields.ts'
import type { Container, Pod, PodSpec, Writable } from '../../../api/types.ts'
import type { UpdateRules } from '../../rest/update-rules.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'
import { bind } from './binding.ts'
import { evict } from './eviction.ts'

const metadataOfEndpoint = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** For endpoints that take only a part of the pod's spec. */
const podPartRules = (takeSpec: (next: PodSpec, current: PodSpec) => PodSpec, validate: UpdateRules['validate']): UpdateRules => ({
  prepare(next, current) {
    const pod = next as Writable<Pod>
    const { spec, status, metadata } = current as Pod
    pod.spec = takeSpec((pod.spec as PodSpec | undefined) ?? { containers: [] }, spec!) as Writable<PodSpec>
    if (status === undefined) delete pod.status
    else pod.status = status as NonNullable<Writable<Pod>['status']>
    const target = next.metadata as Record<string, unknown>
    for (const field of metadataOfEndpoint) {
      if (metadata?.[field] === undefined) delete target[field]
      else target[field] = metadata[field]
    }
  },
  validate,
  countsGeneration: true,
})

const ephemeralContainersRules = podPartRules(
  ({ ephemeralContainers }, current) => replaceFields('core.PodSpec', current, { ephemeralContainers }),
  (next, current, context) => validatePodEphemeralContainersUpdate(next as Pod, current as Pod, context),
)

const resizeRules = podPartRules(
  (next, current) => {
    const containers = next.containers ?? []
    const initContainers = next.initContainers ?? []
    const isSameShape = containers.length === current.containers.length && initContainers.length === (current.initContainers?.length ?? 0)
    if (!isSameShape) return { ...next, containers }
    return replaceFields('core.PodSpec', current, {
      resources: next.resources,
      containers: resized(containers, current.containers),
      ...(initContainers.length > 0 && { initContainers: resized(initContainers, current.initContainers ?? []) }),
    })
  },
  (next, current, context) => validatePodResizeUpdate(next as Pod, current as Pod, context),
)

/** The current containers with the next resources. Validation refuses renamed containers. */
function resized(next: readonly Container[], current: readonly Container[]): readonly Container[] {
  if (next.some(({ name }, at) => name !== current[at]?.name)) return next
  return next.map(
    ({ resources, resizePolicy }, at) => replaceFields('core.Container', current[at], { resources, resizePolicy }) as Container,
  )
}

export const podBehavior: BehaviorDefinition = {
  kinds: [pods],
  define: () => ({
    subresources: {
      binding: { create: bind },
      ephemeralcontainers: { rules: ephemeralContainersRules },
      eviction: { create: evict },
      resize: { rules: resizeRules },
    },
  }),
}
