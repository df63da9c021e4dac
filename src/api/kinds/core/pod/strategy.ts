// Kubernetes: pkg/registry/core/pod.podStrategy.*, podStatusStrategy.*, podEphemeralContainersStrategy.*, podResizeStrategy.*
import { formatTime } from '../../../../base/clock.ts'
import { copyJson } from '../../../../base/json.ts'
import type { FieldError } from '../../../machinery/field-error.ts'
import { explicitNull, fill } from '../../../machinery/fields.ts'
import { isSpecChanged, keepMetadata, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { KnownSpecs } from '../../../machinery/known-specs.ts'
import type { Pod, PodSpec, Writable } from '../../../types.ts'
import { copyAppArmorAnnotations, hasAppArmorAnnotations } from './app-armor.ts'
import { defaultPodBesideSpec, defaultSpecOfPod } from './defaults.ts'
import { dropDisabledPodFields, hasDisabledFields } from './disabled-fields.ts'
import { qualityOfService } from './quality-of-service.ts'
import { validatePodStatusUpdate } from './validation/status.ts'
import { validatePodUpdate } from './validation/update.ts'
import { validatePod } from './validation.ts'
import { podNameWarnings, podWarnings } from './warnings.ts'

type WritableSpec = Writable<PodSpec>
type Selector = { matchExpressions?: { key: string; operator: string; values?: string[] }[] }
type Term = { labelSelector?: Selector; matchLabelKeys?: string[]; mismatchLabelKeys?: string[] }

const schedulingGated = (nowMs: number) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: explicitNull,
  lastTransitionTime: formatTime(nowMs),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
})

const validSpecs = new KnownSpecs<FieldError[]>()
const specWarnings = new KnownSpecs<readonly string[]>()

export const podStrategy: Strategy<Pod> = {
  generation: true,
  generationChanges: isSpecChanged,
  hasEqualSpecs: true,
  defaultSpec: defaultSpecOfPod,
  default: defaultPodBesideSpec,
  prepareForCreate(pod, { nowMs }) {
    // The spec may be shared with other pods: what follows from labels and annotations is set on a copy.
    if (hasDisabledFields(pod.spec) || hasAppArmorAnnotations(pod) || hasLabelKeys(pod.spec!)) {
      pod.spec = copyJson(pod.spec!)
      dropDisabledPodFields(pod.spec)
      copyAppArmorAnnotations(pod)
      mergeLabelKeys(pod.spec, pod.metadata?.labels ?? {})
    }
    const spec = pod.spec!
    pod.status = {
      phase: 'Pending',
      ...(spec.schedulingGates?.length && { conditions: [schedulingGated(nowMs)] }),
      qosClass: qualityOfService(spec),
    }
  },
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    dropDisabledPodFields(next.spec, current.spec)
  },
  resetFields: { status: { 'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} }, 'f:spec': {} } },
  prepareForStatusUpdate(next, current) {
    keepSpec(next, current)
    keepMetadata(next, current, ['deletionTimestamp', 'ownerReferences'])
    keepStatusFields(next, current)
  },
  validate: (pod, context) =>
    validSpecs.of(
      pod.spec!,
      [context.gates, pod.metadata?.annotations],
      () => validatePod(pod, context),
      (errors) => errors.length === 0 && !hasNamesOfItsOwn(pod.spec!),
    ),
  metadata: { onUpdate: ['changes', 'as new'] },
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatusUpdate,
  warnings(pod, current) {
    if (current !== undefined) return []
    const warnings = specWarnings.of(
      pod.spec!,
      [pod.metadata?.annotations],
      () => podWarnings(pod),
      () => !hasNamesOfItsOwn(pod.spec!),
    )
    return [...podNameWarnings(pod.metadata?.name ?? ''), ...warnings]
  },
  graceSeconds(pod, requestedSeconds) {
    if (!pod.spec?.nodeName || pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') return 0
    const seconds = requestedSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0
    return seconds < 0 ? 1 : seconds
  },
}

/** Claims whose names contain the pod's name: validity is not the same for all pods with this spec. */
function hasNamesOfItsOwn({ volumes, resourceClaims }: PodSpec): boolean {
  return resourceClaims !== undefined || (volumes?.some(({ ephemeral }) => ephemeral) ?? false)
}

/** A status without a class or an observed generation keeps the stored one: older clients do not send them. */
function keepStatusFields(next: Writable<Pod>, current: Pod): void {
  const { qosClass, observedGeneration, conditions } = current.status ?? {}
  const status = fill('core.PodStatus', next.status, { qosClass, observedGeneration })
  next.status = status
  if (!status.conditions || !conditions) return
  // A type may occur more than once: conditions are matched in order.
  const earlier = new Map<string, (number | undefined)[]>()
  for (const { type, observedGeneration } of conditions) {
    const generations = earlier.get(type)
    if (generations) generations.push(observedGeneration)
    else earlier.set(type, [observedGeneration])
  }
  status.conditions = status.conditions.map((condition) =>
    fill('core.PodCondition', condition, { observedGeneration: earlier.get(condition.type)?.shift() }),
  )
}

function hasLabelKeys({ affinity, topologySpreadConstraints }: PodSpec): boolean {
  return affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || topologySpreadConstraints !== undefined
}

/** Label keys of affinity terms and spread constraints become requirements, with the values of the pod's own labels. */
function mergeLabelKeys(spec: WritableSpec, labels: Readonly<Record<string, string>>): void {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  for (const affinity of [podAffinity, podAntiAffinity]) {
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      mergeTerm(podAffinityTerm as Term, labels)
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) mergeTerm(term as Term, labels)
  }
  for (const constraint of spec.topologySpreadConstraints ?? []) mergeTerm(constraint as Term, labels)
}

function mergeTerm(term: Term, labels: Readonly<Record<string, string>>): void {
  // A term without a selector matches nothing, whatever its keys.
  if (!term.labelSelector) return
  const more = [...requirements(term.matchLabelKeys, 'In', labels), ...requirements(term.mismatchLabelKeys, 'NotIn', labels)]
  if (more.length > 0) term.labelSelector.matchExpressions = [...(term.labelSelector.matchExpressions ?? []), ...more]
}

function requirements(keys: string[] | undefined, operator: string, labels: Readonly<Record<string, string>>) {
  return (keys ?? []).filter((key) => Object.hasOwn(labels, key)).map((key) => ({ key, operator, values: [labels[key]!] }))
}
