// The status of a set. Active and terminating pods are counted from one snapshot, so a pod moves from one count to the other
// in a single write.
// Kubernetes: pkg/controller/replicaset.calculateStatus, updateReplicaSetStatus, SetCondition, RemoveCondition
import type { Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { Labels } from '../../../base/label-selector.ts'
import { nextOperational, operational } from '../../shared/plan/operational.ts'
import { availableAtMs } from '../../shared/plan/pod-state.ts'
import type { AnyReplicaSet, ReplicaSettings } from './settings.ts'

export type ReplicaSetStatus = NonNullable<ReplicaSet['status']>

interface StatusInput {
  readonly settings: ReplicaSettings
  readonly active: readonly Stored<Pod>[]
  readonly terminating: number
  /** Why pods could not be created or deleted in this sync. */
  readonly failure?: string
  readonly nowMs: number
}

interface StatusPlan {
  /** Undefined if the status is up to date. */
  readonly status?: ReplicaSetStatus
  /** When the next pod becomes available, with no event that reports it. */
  readonly requeueAtMs?: number
}

export function nextStatus(set: AnyReplicaSet, { settings, active, terminating, failure, nowMs }: StatusInput): StatusPlan {
  const { minReadySeconds, templateLabels, countsTerminating } = settings
  const labels = Object.entries(templateLabels)
  let fullyLabeled = 0
  let ready = 0
  let available = 0
  let requeueAtMs = Number.POSITIVE_INFINITY
  let known: Labels | undefined
  let hasKnownLabels = hasLabels(labels, known)
  for (const pod of active) {
    if (pod.metadata.labels !== known) {
      known = pod.metadata.labels
      hasKnownLabels = hasLabels(labels, known)
    }
    if (hasKnownLabels) fullyLabeled++
    const atMs = availableAtMs(pod, minReadySeconds)
    if (atMs === undefined) continue
    ready++
    if (atMs <= nowMs) available++
    else if (atMs < requeueAtMs) requeueAtMs = atMs
  }

  const current: ReplicaSetStatus = set.status ?? { replicas: 0 }
  const conditions = nextConditions(current.conditions, settings, active.length, available, failure, nowMs)
  const terminatingReplicas = countsTerminating ? terminating : undefined
  const observedGeneration = set.metadata.generation ?? 0
  const requeue = Number.isFinite(requeueAtMs) ? { requeueAtMs } : {}
  if (
    current.replicas === active.length &&
    (current.fullyLabeledReplicas ?? 0) === fullyLabeled &&
    (current.readyReplicas ?? 0) === ready &&
    (current.availableReplicas ?? 0) === available &&
    current.terminatingReplicas === terminatingReplicas &&
    (current.observedGeneration ?? 0) === observedGeneration &&
    current.conditions === conditions
  )
    return requeue
  const status: { -readonly [Field in keyof ReplicaSetStatus]: ReplicaSetStatus[Field] } = {
    replicas: active.length,
    fullyLabeledReplicas: fullyLabeled,
    readyReplicas: ready,
    availableReplicas: available,
    ...(terminatingReplicas !== undefined && { terminatingReplicas }),
    observedGeneration,
  }
  if (conditions !== undefined) status.conditions = conditions
  return { status: withUnknownFields(status, current), ...requeue }
}

const knownFields = new Set<string>([
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
  'conditions',
])

/** Fields that a newer API server adds to the status are preserved. */
function withUnknownFields(status: ReplicaSetStatus, current: ReplicaSetStatus): ReplicaSetStatus {
  const unknown = Object.keys(current).filter((field) => !knownFields.has(field))
  if (unknown.length === 0) return status
  return { ...Object.fromEntries(unknown.map((field) => [field, current[field as keyof ReplicaSetStatus]])), ...status }
}

function hasLabels(wanted: readonly (readonly [string, string])[], labels: Labels | undefined): boolean {
  for (const [key, value] of wanted) if (labels === undefined || !Object.hasOwn(labels, key) || labels[key] !== value) return false
  return true
}

type Conditions = ReplicaSetStatus['conditions']

const replicaFailure = 'ReplicaFailure'

/** The identical list when nothing changes. As in Kubernetes, an existing ReplicaFailure condition keeps its message. */
function nextConditions(
  current: Conditions,
  settings: ReplicaSettings,
  active: number,
  available: number,
  failure: string | undefined,
  nowMs: number,
): Conditions {
  const { kind, wanted, operationalThreshold } = settings
  let next = current
  const hasFailed = current?.some(({ type }) => type === replicaFailure) ?? false
  if (failure !== undefined && !hasFailed) {
    const reason = active < wanted ? 'FailedCreate' : active > wanted ? 'FailedDelete' : undefined
    const lastTransitionTime = formatTime(nowMs)
    next = [...(next ?? []), { type: replicaFailure, status: 'True', lastTransitionTime, ...(reason && { reason }), message: failure }]
  } else if (failure === undefined && hasFailed) next = without(next, replicaFailure)
  if (operationalThreshold === undefined) return next
  const condition = nextOperational(current, { kind, desired: wanted, available, threshold: operationalThreshold, nowMs })
  if (current?.includes(condition)) return next
  return [...(without(next, operational) ?? []), condition]
}

function without(conditions: Conditions, unwanted: string): Conditions {
  const rest = conditions?.filter(({ type }) => type !== unwanted)
  return rest === undefined || rest.length === 0 ? undefined : rest
}
