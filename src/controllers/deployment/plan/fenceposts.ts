// maxSurge and maxUnavailable of a Deployment as numbers.
// Kubernetes: pkg/controller/deployment/util.ResolveFenceposts, MaxUnavailable, MinAvailable, MaxSurge
import type { Deployment } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'

export const replicasOf = ({ spec }: Deployment): number => spec?.replicas ?? 1

export const isRollingUpdate = ({ spec }: Deployment): boolean => (spec?.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate'

/**
 * maxSurge is rounded up, maxUnavailable down. If both are 0, maxUnavailable becomes 1, or the rollout could not proceed: 2
 * replicas with maxUnavailable 1% and maxSurge 0 may have one pod unavailable.
 */
function fenceposts(deployment: Deployment): Fenceposts {
  const { spec } = deployment
  if (spec === undefined) return { surge: 0, unavailable: 1 }
  let known = fencepostsOf.get(spec)
  if (known === undefined) {
    const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy?.rollingUpdate ?? {}
    const replicas = replicasOf(deployment)
    const surge = scaledValue(maxSurge, replicas, true) ?? 0
    const unavailable = scaledValue(maxUnavailable, replicas, false) ?? 0
    known = { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
    fencepostsOf.set(spec, known)
  }
  return known
}

interface Fenceposts {
  readonly surge: number
  readonly unavailable: number
}

/** Cached: each sync needs it several times, for the same few specs. */
const fencepostsOf = new WeakMap<object, Fenceposts>()

function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0
}

export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment)
  if (!isRollingUpdate(deployment) || replicas === 0) return 0
  return Math.min(fenceposts(deployment).unavailable, replicas)
}

/** spec.replicas plus maxSurge. */
export const maxReplicas = (deployment: Deployment): number => replicasOf(deployment) + maxSurge(deployment)
