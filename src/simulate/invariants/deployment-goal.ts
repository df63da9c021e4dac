// What a Deployment requests, for the checks of simulations and tests. It shares no code with the planners, so that a mistake
// there is not repeated here.
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { readDurationMs } from '../../base/duration.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'

export interface DeploymentGoal {
  readonly replicas: number
  /** 0 under Recreate. */
  readonly surge: number
  /** How many may be missing in a rolling update. */
  readonly unavailable: number
  readonly isRecreate: boolean
  readonly isPaused: boolean
  /** Without a policy and terminatingAsActive, everything is as in Kubernetes. */
  readonly hasPolicy: boolean
  /** TerminationComplete or terminatingAsActive: replicas + surge bound all pods, terminating ones included. */
  readonly isCapped: boolean
  readonly countsTerminatingAsActive: boolean
  /** A pod that exceeds its grace period by this time no longer counts. Absent: it always counts. */
  readonly stuckTimeoutMs?: number
}

type Annotated = Pick<KubernetesObject, 'metadata'>

const annotation = ({ metadata }: Annotated, name: string) => metadata?.annotations?.[`rollcall.dev/${name}`]

/** Of a Deployment or a ReplicaSet: the field, or else the annotation. */
export function countsTerminatingAsActive(
  object: Annotated & { readonly spec?: { readonly terminatingAsActive?: boolean } },
  gates: FeatureGates,
): boolean {
  if (!gates.TerminatingAsActive) return false
  return object.spec?.terminatingAsActive ?? annotation(object, 'terminating-as-active') === 'true'
}

/** How long a pod may exceed its grace period before it no longer counts; undefined: it always counts. */
export function stuckTimeoutMsOf(object: Annotated): number | undefined {
  const timeout = annotation(object, 'stuck-termination-timeout')
  return timeout === undefined ? undefined : readDurationMs(timeout)
}

function policyOf(deployment: Deployment): string | undefined {
  const text = deployment.spec?.podReplacementPolicy ?? annotation(deployment, 'pod-replacement-policy')
  return text === 'TerminationStarted' || text === 'TerminationComplete' ? text : undefined
}

function share(value: number | string | undefined, replicas: number, round: (value: number) => number): number {
  if (typeof value === 'number' || value === undefined) return value ?? 0
  const percent = Number.parseInt(value, 10)
  return Number.isNaN(percent) ? 0 : round((replicas * percent) / 100)
}

export function goalOf(deployment: Deployment, gates: FeatureGates): DeploymentGoal {
  const { spec } = deployment
  const replicas = spec?.replicas ?? 1
  const isRecreate = spec?.strategy?.type === 'Recreate'
  const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {}
  // Surge rounds up, unavailability down, and they are not both zero.
  const surge = isRecreate ? 0 : share(maxSurge, replicas, Math.ceil)
  const unavailable = share(maxUnavailable, replicas, Math.floor)
  const policy = policyOf(deployment)
  const asActive = countsTerminatingAsActive(deployment, gates)
  const stuckTimeoutMs = stuckTimeoutMsOf(deployment)
  return {
    replicas,
    surge,
    unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable,
    isRecreate,
    isPaused: spec?.paused === true,
    hasPolicy: gates.DeploymentPodReplacementPolicy && (policy !== undefined || asActive),
    isCapped: gates.DeploymentPodReplacementPolicy && (policy === 'TerminationComplete' || asActive),
    countsTerminatingAsActive: asActive,
    ...(stuckTimeoutMs !== undefined && { stuckTimeoutMs }),
  }
}

/**
 * Whether a Deployment still counts a pod whose ReplicaSet was deleted: only the name of the ReplicaSet is known then. A ReplicaSet that the
 * Deployment had adopted has another name, and a pod that is older than the Deployment may be one of a predecessor.
 */
export function countsWithoutSet({ metadata, spec }: Stored<Deployment>, pod: Stored<Pod>): boolean {
  const controller = controllerOf(pod)
  const { namespace, labels = {}, creationTimestamp = '' } = pod.metadata
  const requirements = selectorRequirements(spec?.selector)
  return (
    namespace === metadata.namespace &&
    controller?.kind === 'ReplicaSet' &&
    controller.name === `${metadata.name}-${labels['pod-template-hash']}` &&
    creationTimestamp >= (metadata.creationTimestamp ?? '') &&
    requirements !== undefined &&
    matchesLabels(requirements, labels)
  )
}

export interface CheckerTime {
  now(): number
  /** The maximum age of the state that controllers act on. */
  lagMs(): number
}

/** For checks on clusters whose controllers are notified at once. */
export const noLag: CheckerTime = { now: () => 0, lagMs: () => 0 }

interface Wanted {
  readonly goal: DeploymentGoal
  readonly text: string
  generation: number
  readonly sinceMs: number
}

/**
 * The goals that the controller may still act on: the last one that it has observed, and all later ones. A change of an annotation
 * does not change the generation; such a goal counts as observed after the lag.
 */
export class DeploymentGoals {
  #wanted: Wanted[] = []
  #observed = 0
  readonly #time: CheckerTime

  constructor(time: CheckerTime) {
    this.#time = time
  }

  update(deployment: Stored<Deployment>, gates: FeatureGates): void {
    const generation = deployment.metadata.generation ?? 0
    this.#observed = Math.max(this.#observed, deployment.status?.observedGeneration ?? 0)
    const goal = goalOf(deployment, gates)
    const text = JSON.stringify(goal)
    const last = this.#wanted.at(-1)
    if (last?.text === text) last.generation = Math.max(last.generation, generation)
    else this.#wanted.push({ goal, text, generation, sinceMs: this.#time.now() })
  }

  get all(): readonly DeploymentGoal[] {
    if (this.#wanted.length > 1) this.#dropObserved()
    return this.#wanted.map(({ goal }) => goal)
  }

  get last(): DeploymentGoal | undefined {
    return this.#wanted.at(-1)?.goal
  }

  /** The largest number of pods that any of the goals allows. */
  get cap(): number {
    return Math.max(0, ...this.all.map(({ replicas, surge }) => replicas + surge))
  }

  get isCapped(): boolean {
    return this.all.every(({ isCapped }) => isCapped)
  }

  /** The smallest timeout of the goals. */
  get stuckTimeoutMs(): number | undefined {
    const allowed = this.all.flatMap(({ stuckTimeoutMs }) => stuckTimeoutMs ?? [])
    return allowed.length === 0 ? undefined : Math.min(...allowed)
  }

  #dropObserved(): void {
    const nowMs = this.#time.now()
    this.#wanted = this.#wanted.filter((one, index, all) => {
      const next = all[index + 1]
      if (next === undefined || next.generation > this.#observed) return true
      return next.generation === one.generation && nowMs - next.sinceMs <= this.#time.lagMs()
    })
  }
}
