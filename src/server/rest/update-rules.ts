// The fields that an update may change: rules for the object itself and for its subresources.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeUpdate

import { prepareForApproval } from '../../api/kinds/certificates/certificate-signing-request/strategy.ts'
import { validateApproval } from '../../api/kinds/certificates/certificate-signing-request/validation.ts'
import { validateNamespaceFinalizeUpdate } from '../../api/kinds/core/namespace/validation.ts'
import { validatePodEphemeralContainersUpdate, validatePodResizeUpdate } from '../../api/kinds/core/pod/validation.ts'
import type { FieldError } from '../../api/machinery/field-error.ts'
import { replaceFields } from '../../api/machinery/fields.ts'
import { hasSubresource, type Kind, type StrategyContext } from '../../api/machinery/kind.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { CertificateSigningRequest, Container, KubernetesObject, Pod, PodSpec, Writable } from '../../api/types.ts'
import { isContentChanged } from './object-changes.ts'
import type { NewObject } from './write-steps.ts'

export interface UpdateTarget {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
  readonly subresource: string | undefined
}

interface UpdateRules {
  /** Restores the fields that this endpoint may not change, in place. */
  prepare(next: NewObject, current: KubernetesObject, context: StrategyContext): void
  validate(next: NewObject, current: KubernetesObject, context: StrategyContext): readonly FieldError[]
  /** Whether a write to this endpoint can increment metadata.generation. */
  readonly countsGeneration: boolean
}

type Fields = Record<string, unknown>

/** Restores all fields except those in `taken`. */
function keepAllBut(next: NewObject, current: KubernetesObject, taken: ReadonlySet<string>): void {
  const from = current as unknown as Fields
  const to = next as unknown as Fields
  for (const field of Object.keys(to)) if (!taken.has(field) && !Object.hasOwn(from, field)) delete to[field]
  for (const field of Object.keys(from)) if (!taken.has(field)) to[field] = from[field]
}

const statusFields = new Set(['metadata', 'status'])

const statusRules = ({ strategy }: Kind): UpdateRules => ({
  prepare(next, current, context) {
    if (strategy.prepareForStatusUpdate) strategy.prepareForStatusUpdate(next, current, context)
    else keepAllBut(next, current, statusFields)
  },
  validate: (next, current, context) => strategy.validateStatusUpdate?.(next, current, context) ?? [],
  countsGeneration: false,
})

const objectRules = ({ strategy }: Kind): UpdateRules => ({
  prepare: (next, current, context) => strategy.prepareForUpdate?.(next, current, context),
  validate: (next, current, context) => strategy.validateUpdate?.(next, current, context) ?? strategy.validate?.(next, context) ?? [],
  countsGeneration: true,
})

const metadataOfEndpoint = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** For endpoints that take only a part of the pod's spec. */
const podPartRules = (takeSpec: (next: PodSpec, current: PodSpec) => PodSpec, validate: UpdateRules['validate']): UpdateRules => ({
  prepare(next, current) {
    const pod = next as Writable<Pod>
    const { spec, status, metadata } = current as Pod
    pod.spec = takeSpec((pod.spec as PodSpec | undefined) ?? { containers: [] }, spec!) as Writable<PodSpec>
    if (status === undefined) delete pod.status
    else pod.status = status as NonNullable<Writable<Pod>['status']>
    const target = next.metadata as unknown as Fields
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

const finalizeRules: UpdateRules = {
  prepare: (next, current) => keepAllBut(next, current, new Set(['metadata', 'spec'])),
  validate: validateNamespaceFinalizeUpdate,
  countsGeneration: false,
}

const approvalRules: UpdateRules = {
  prepare: (next, current, context) =>
    prepareForApproval(next as Writable<CertificateSigningRequest>, current as CertificateSigningRequest, context),
  validate: (next, current) => validateApproval(next as CertificateSigningRequest, current as CertificateSigningRequest),
  countsGeneration: false,
}

const objects = new WeakMap<Kind, UpdateRules>()
const statuses = new WeakMap<Kind, UpdateRules>()

function known(all: WeakMap<Kind, UpdateRules>, kind: Kind, make: (kind: Kind) => UpdateRules): UpdateRules {
  let rules = all.get(kind)
  if (rules === undefined) {
    rules = make(kind)
    all.set(kind, rules)
  }
  return rules
}

/** The rules of an endpoint whose body is the whole object; undefined when the kind has no such endpoint. */
export function rulesOf(kind: Kind, subresource: string | undefined): UpdateRules | undefined {
  if (subresource === undefined) return known(objects, kind, objectRules)
  if (subresource === 'status') return hasSubresource(kind, 'status') ? known(statuses, kind, statusRules) : undefined
  if (subresource === 'scale') return kind.scale ? known(objects, kind, objectRules) : undefined
  if (kind.type === 'core.Namespace' && subresource === 'finalize') return finalizeRules
  if (kind.type === 'certificates.CertificateSigningRequest' && subresource === 'approval') return approvalRules
  if (kind.type !== 'core.Pod') return undefined
  if (subresource === 'ephemeralcontainers') return ephemeralContainersRules
  return subresource === 'resize' ? resizeRules : undefined
}

export function requireRules(kind: Kind, subresource: string | undefined): UpdateRules {
  const rules = rulesOf(kind, subresource)
  if (rules === undefined) throw noSuchEndpointError()
  return rules
}

/** Increments metadata.generation when the desired state has changed. */
export function countGeneration({ strategy }: Kind, next: NewObject, current: KubernetesObject): void {
  const isChanged = strategy.generationChanges?.(next, current) ?? isContentChanged(next, current)
  if (isChanged) next.metadata.generation = (current.metadata?.generation ?? 0) + 1
}

export const noSuchEndpointError = () => failure(404, 'NotFound', 'the server could not find the requested resource', {})
