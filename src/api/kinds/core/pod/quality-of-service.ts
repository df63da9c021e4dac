// Kubernetes: pkg/apis/core/helper/qos.ComputePodQOS
import { compareQuantities, type Quantity } from '../../../../base/quantity.ts'
import type { PodSpec } from '../../../types.ts'
import { addAll, amounts } from './resources.ts'

type QualityOfService = 'Guaranteed' | 'Burstable' | 'BestEffort'

/**
 * BestEffort: no container has requests or limits of cpu or memory. Guaranteed: every container has limits of both, and equal requests.
 * Burstable: all others. For a pod with pod-level resources only those count.
 */
export function qualityOfService(spec: PodSpec): QualityOfService {
  const requests = new Map<string, Quantity>()
  const limits = new Map<string, Quantity>()
  const { resources } = spec
  const isPodLevel = Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0
  const owners = isPodLevel ? [{ name: '', resources: resources! }] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  let limited = true
  let empty = true
  for (const owner of owners) {
    const { limits: ownLimits, requests: ownRequests } = owner.resources ?? {}
    // A pod without requests and limits needs no arithmetic.
    if (ownLimits === undefined && ownRequests === undefined) {
      limited = false
      continue
    }
    empty = false
    addAll(requests, computing(amounts(owner, 'requests')))
    const own = computing(amounts(owner, 'limits'))
    // A pod-level list without any limit does not count as one that lacks a limit; requests then outnumber limits.
    if (own.size < 2 && !(isPodLevel && ownLimits === undefined)) limited = false
    addAll(limits, own)
  }
  if (empty || (requests.size === 0 && limits.size === 0)) return 'BestEffort'
  if (!limited || requests.size !== limits.size) return 'Burstable'
  for (const [name, request] of requests) {
    const limit = limits.get(name)
    if (limit === undefined || compareQuantities(limit, request) !== 0) return 'Burstable'
  }
  return 'Guaranteed'
}

function computing(amounts: ReadonlyMap<string, Quantity>): Map<string, Quantity> {
  const kept = new Map<string, Quantity>()
  for (const name of ['cpu', 'memory']) {
    const amount = amounts.get(name)
    if (amount !== undefined && amount.nano > 0n) kept.set(name, amount)
  }
  return kept
}
