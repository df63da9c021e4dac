// Scores the feasible nodes: the default score plugins of kube-scheduler with their weights, each from 0 to 100.
// Kubernetes: pkg/scheduler.prioritizeNodes
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.leastResourceScorer, leastRequestedScore, balancedResourceScorer
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.balancedResourceScore
// Kubernetes: pkg/scheduler/framework/plugins/tainttoleration.TaintToleration.Score
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.NodeAffinity.Score
// Kubernetes: pkg/scheduler/framework/plugins/helper.DefaultNormalizeScore
// Kubernetes: pkg/scheduler/apis/config/v1.getDefaultPlugins

import { isTermMet } from '../../api/kinds/core/node/node-requirement.ts'
import { isTolerated } from '../../api/kinds/core/node/taints.ts'
import { scoreAffinity } from './affinity-score.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { scoreSpread } from './spread-score.ts'

const maxScore = 100
const weights = { taints: 3, nodeAffinity: 2, spread: 2, podAffinity: 2 } as const

/** One score for each node; higher is better. */
export function scoreNodes(needs: PodNeeds, nodes: readonly NodeState[], state: ClusterState): Float64Array {
  const total = new Float64Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) total[i] = leastAllocated(needs, nodes[i]!) + balancedAllocation(needs, nodes[i]!)
  add(total, scoreTaints(needs, nodes), weights.taints)
  add(total, scoreNodeAffinity(needs, nodes), weights.nodeAffinity)
  add(total, scoreSpread(needs, nodes, state), weights.spread)
  add(total, scoreAffinity(needs, nodes, state), weights.podAffinity)
  return total
}

/** Absent scores are equal for all nodes. */
function add(total: Float64Array, scores: Float64Array | undefined, weight: number): void {
  if (scores !== undefined) for (let i = 0; i < total.length; i++) total[i]! += weight * scores[i]!
}

/** The free share of cpu and memory. */
export function leastAllocated({ requests }: PodNeeds, { allocatable, nonZeroCpu, nonZeroMemory }: NodeState): number {
  const cpu = shareLeft(nonZeroCpu + requests.nonZeroCpu, allocatable.cpu)
  const memory = shareLeft(nonZeroMemory + requests.nonZeroMemory, allocatable.memory)
  if (allocatable.cpu === 0) return allocatable.memory === 0 ? 0 : memory
  return allocatable.memory === 0 ? cpu : Math.floor((cpu + memory) / 2)
}

const shareLeft = (taken: number, whole: number) => (whole === 0 || taken > whole ? 0 : Math.floor(((whole - taken) * maxScore) / whole))

/** How much the pod evens out the used shares of cpu and memory: 75 if it changes nothing. */
export function balancedAllocation({ requests }: PodNeeds, { allocatable, cpu, memory }: NodeState): number {
  if ((requests.cpu === 0 && requests.memory === 0) || allocatable.cpu === 0 || allocatable.memory === 0) return 0
  const evenness = (takenCpu: number, takenMemory: number) => {
    const difference = Math.min(1, takenCpu / allocatable.cpu) - Math.min(1, takenMemory / allocatable.memory)
    return Math.floor((1 - Math.abs(difference / 2)) * maxScore)
  }
  const change = evenness(cpu + requests.cpu, memory + requests.memory) - evenness(cpu, memory)
  return maxScore / 2 + Math.trunc((maxScore / 2 + change) / 2)
}

/** Prefers nodes with fewer PreferNoSchedule taints that the pod does not tolerate. */
export function scoreTaints({ tolerations }: PodNeeds, nodes: readonly NodeState[]): Float64Array | undefined {
  if (nodes.every(({ softTaints }) => softTaints.length === 0)) return undefined
  const soft = tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule')
  const scores = Float64Array.from(nodes, ({ softTaints }) => softTaints.filter((taint) => !isTolerated(soft, taint)).length)
  return normalize(scores, true)
}

export function scoreNodeAffinity({ nodePreferences }: PodNeeds, nodes: readonly NodeState[]): Float64Array | undefined {
  if (nodePreferences.length === 0) return undefined
  const scores = Float64Array.from(nodes, ({ name, labels }) => {
    let sum = 0
    for (const { weight, term } of nodePreferences) if (isTermMet(term, name, labels)) sum += weight
    return sum
  })
  return normalize(scores, false)
}

/** Scales to 0 … 100, relative to the highest score. */
function normalize(scores: Float64Array, isReversed: boolean): Float64Array {
  const highest = scores.reduce((a, b) => Math.max(a, b), 0)
  return scores.map((score) => {
    const share = highest === 0 ? 0 : Math.floor((maxScore * score) / highest)
    return isReversed ? maxScore - share : share
  })
}
