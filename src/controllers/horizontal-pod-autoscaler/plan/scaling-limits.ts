// Limits a recommendation by stabilization windows, scaling policies, minReplicas and maxReplicas.
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.normalizeDesiredReplicas
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.normalizeDesiredReplicasWithBehaviors
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.stabilizeRecommendation
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.stabilizeRecommendationWithBehaviors
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.convertDesiredReplicasWithBehaviorRate, convertDesiredReplicasWithRules
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.storeScaleEvent, calculateScaleUpLimitWithScalingRules
// Kubernetes: pkg/controller/podautoscaler.calculateScaleDownLimitWithBehaviors

import { defaultScaleDown, defaultScaleUp } from '../../../api/kinds/autoscaling/horizontal-pod-autoscaler/defaults.ts'
import type { HorizontalPodAutoscaler } from '../../../api/types.ts'

interface Recommendation {
  readonly replicas: number
  readonly atMs: number
}
interface ScaleEvent {
  /** Replicas added or removed, never negative. */
  readonly change: number
  readonly atMs: number
}
/** What an autoscaler remembers from one reconcile to the next. */
export interface ScalingHistory {
  readonly recommendations: readonly Recommendation[]
  readonly ups: readonly ScaleEvent[]
  readonly downs: readonly ScaleEvent[]
}
export const emptyHistory: ScalingHistory = { recommendations: [], ups: [], downs: [] }

type Spec = NonNullable<HorizontalPodAutoscaler['spec']>
type Rules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>

export interface Reason {
  readonly reason: string
  readonly message: string
}
export interface Limited {
  readonly replicas: number
  readonly ableToScale: Reason
  readonly scalingLimited: Reason & { readonly isLimited: boolean }
}

/** The flag --horizontal-pod-autoscaler-downscale-stabilization of kube-controller-manager. */
const defaultDownscaleWindowSeconds = 300

/** `current` and `recommended` are numbers of replicas. The history does not contain this recommendation yet. */
export function limitScaling(
  { minReplicas = 1, maxReplicas, behavior }: Pick<Spec, 'minReplicas' | 'maxReplicas' | 'behavior'>,
  current: number,
  recommended: number,
  history: ScalingHistory,
  nowMs: number,
): Limited {
  if (behavior === undefined) return limitWithoutBehavior(minReplicas, maxReplicas, current, recommended, history, nowMs)
  const up: Rules = { ...defaultScaleUp(), ...behavior.scaleUp }
  const down: Rules = { ...defaultScaleDown(), ...behavior.scaleDown }
  const stable = stabilize(
    current,
    recommended,
    history.recommendations,
    nowMs,
    up.stabilizationWindowSeconds ?? 0,
    down.stabilizationWindowSeconds ?? defaultDownscaleWindowSeconds,
  )
  const ableToScale = stable === recommended ? readyForNewScale : recommended >= current ? scaleUpStabilized : scaleDownStabilized
  const { replicas, ...reason } =
    stable > current
      ? limitUp(stable, maxReplicas, Math.max(current, upLimit(current, up, history, nowMs)))
      : stable < current
        ? limitDown(stable, minReplicas, Math.min(current, downLimit(current, down, history, nowMs)))
        : { replicas: stable, ...withinRange }
  return { replicas, ableToScale, scalingLimited: { ...reason, isLimited: replicas !== stable } }
}

/** Without `behavior`: the highest recommendation of the last five minutes, and at most twice the current replicas, or four. */
function limitWithoutBehavior(
  minReplicas: number,
  maxReplicas: number,
  current: number,
  recommended: number,
  { recommendations }: ScalingHistory,
  nowMs: number,
): Limited {
  const recent = recommendations.filter(({ atMs }) => atMs >= nowMs - defaultDownscaleWindowSeconds * 1000)
  const stable = Math.max(recommended, ...recent.map(({ replicas }) => replicas))
  const ableToScale = stable === recommended ? readyForNewScale : scaleDownStabilized
  const { replicas, ...reason } =
    stable < minReplicas ? limitDown(stable, minReplicas, 0) : limitUp(stable, maxReplicas, Math.max(2 * current, 4))
  return { replicas, ableToScale, scalingLimited: { ...reason, isLimited: replicas !== stable } }
}

const readyForNewScale = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' }
const scaleUpStabilized = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
}
const scaleDownStabilized = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
}
const withinRange = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' }

/** Scaling up follows the lowest recommendation of its window, scaling down the highest of its own. */
function stabilize(
  current: number,
  recommended: number,
  recommendations: readonly Recommendation[],
  nowMs: number,
  upSeconds: number,
  downSeconds: number,
): number {
  let lowest = recommended
  let highest = recommended
  for (const { replicas, atMs } of recommendations) {
    if (atMs > nowMs - upSeconds * 1000) lowest = Math.min(lowest, replicas)
    if (atMs > nowMs - downSeconds * 1000) highest = Math.max(highest, replicas)
  }
  return Math.min(Math.max(current, lowest), highest)
}

function limitUp(wanted: number, maxReplicas: number, limit: number) {
  const most = Math.min(maxReplicas, limit)
  if (wanted <= most) return { replicas: wanted, ...withinRange }
  return maxReplicas > limit
    ? {
        replicas: most,
        reason: 'ScaleUpLimit',
        message: 'the desired replica count is increasing faster than the maximum scale rate',
      }
    : { replicas: most, reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count' }
}

function limitDown(wanted: number, minReplicas: number, limit: number) {
  const least = Math.max(minReplicas, limit)
  if (wanted >= least) return { replicas: wanted, ...withinRange }
  return minReplicas < limit
    ? {
        replicas: least,
        reason: 'ScaleDownLimit',
        message: 'the desired replica count is decreasing faster than the maximum scale rate',
      }
    : { replicas: least, reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count' }
}

const changeIn = (events: readonly ScaleEvent[], periodSeconds: number, nowMs: number) =>
  events.reduce((sum, { change, atMs }) => (atMs > nowMs - periodSeconds * 1000 ? sum + change : sum), 0)

/** The replicas at the start of a policy's period, from which its limit is computed. */
const startOf = (current: number, { ups, downs }: ScalingHistory, periodSeconds: number, nowMs: number) =>
  current - changeIn(ups, periodSeconds, nowMs) + changeIn(downs, periodSeconds, nowMs)

function upLimit(current: number, { selectPolicy, policies = [] }: Rules, history: ScalingHistory, nowMs: number): number {
  if (selectPolicy === 'Disabled') return current
  const proposed = policies.map(({ type, value, periodSeconds }) => {
    const start = startOf(current, history, periodSeconds, nowMs)
    // Rounded up: otherwise 10 % of one replica would never add one.
    return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100))
  })
  return selectPolicy === 'Min' ? Math.min(...proposed) : Math.max(...proposed)
}

function downLimit(current: number, { selectPolicy, policies = [] }: Rules, history: ScalingHistory, nowMs: number): number {
  if (selectPolicy === 'Disabled') return current
  const proposed = policies.map(({ type, value, periodSeconds }) => {
    const start = startOf(current, history, periodSeconds, nowMs)
    return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100))
  })
  // The smallest change is the highest number.
  return selectPolicy === 'Min' ? Math.max(...proposed) : Math.min(...proposed)
}

/** No window or period is longer. */
const maxPeriodMs = 3600_000

/** The history after a reconcile. `scaledTo` is undefined where nothing was scaled. */
export function nextHistory(
  history: ScalingHistory,
  recommended: number,
  current: number,
  scaledTo: number | undefined,
  nowMs: number,
): ScalingHistory {
  const recent = <T extends { readonly atMs: number }>(all: readonly T[]) => all.filter(({ atMs }) => atMs > nowMs - maxPeriodMs)
  const change = (scaledTo ?? current) - current
  const event = { change: Math.abs(change), atMs: nowMs }
  return {
    recommendations: [...recent(history.recommendations), { replicas: recommended, atMs: nowMs }],
    ups: change > 0 ? [...recent(history.ups), event] : recent(history.ups),
    downs: change < 0 ? [...recent(history.downs), event] : recent(history.downs),
  }
}
