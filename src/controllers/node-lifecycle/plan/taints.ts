// The taints for the conditions of a node, and for a cordon.
// Kubernetes: pkg/controller/nodelifecycle.Controller.doNoScheduleTaintingPass, nodeConditionToTaintKeyStatusMap
// Kubernetes: pkg/controller/nodelifecycle.taintKeyToNodeConditionMap, Controller.processTaintBaseEviction
// Kubernetes: pkg/controller/util/node.SwapNodeControllerTaint
import { cordonTaint, type Taint } from '../../../api/kinds/core/node/taints.ts'
import type { Node } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'

export interface TaintChange {
  readonly add: readonly Taint[]
  readonly remove: readonly Taint[]
}

const keyOfCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'node.kubernetes.io/not-ready', Unknown: 'node.kubernetes.io/unreachable' },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}
const ownKeys = new Set([cordonTaint.key, ...Object.values(keyOfCondition).flatMap((keys) => Object.values(keys))])

export const notReadyTaint: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }
export const unreachableTaint: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }

const isSame = (a: Taint, b: Taint) => a.key === b.key && a.effect === b.effect
export const hasTaint = ({ spec }: Node, taint: Taint): boolean => spec?.taints?.some((one) => isSame(one, taint)) ?? false

/** The NoSchedule taints for conditions and cordon; undefined if they are up to date. */
export function planConditionTaints({ spec, status }: Node): TaintChange | undefined {
  const wanted: Taint[] = []
  for (const { type, status: value } of status?.conditions ?? []) {
    const keys = Object.hasOwn(keyOfCondition, type) ? keyOfCondition[type]! : undefined
    if (keys !== undefined && Object.hasOwn(keys, value)) wanted.push({ key: keys[value]!, effect: 'NoSchedule' })
  }
  if (spec?.unschedulable) wanted.push(cordonTaint)
  const present = (spec?.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && ownKeys.has(key))
  const add = wanted.filter((taint) => !present.some((one) => isSame(one, taint)))
  const remove = present.filter((taint) => !wanted.some((one) => isSame(one, taint)))
  return add.length === 0 && remove.length === 0 ? undefined : { add, remove }
}

/** The NoExecute taint of a node that is not ready: one of two, never both. Undefined if the node is ready. */
export function planExecuteTaint(readyStatus: string): TaintChange | undefined {
  if (readyStatus === 'False') return { add: [notReadyTaint], remove: [unreachableTaint] }
  if (readyStatus === 'Unknown') return { add: [unreachableTaint], remove: [notReadyTaint] }
  return undefined
}

/** The taints after the change; undefined if nothing changes. */
export function changedTaints({ spec }: Node, { add, remove }: TaintChange, nowMs: number): Taint[] | undefined {
  const taints = spec?.taints ?? []
  const missing = add.filter((taint) => !taints.some((one) => isSame(one, taint)))
  const kept = taints.filter((taint) => !remove.some((one) => isSame(one, taint)))
  if (missing.length === 0 && kept.length === taints.length) return undefined
  return [...kept, ...missing.map((taint) => ({ ...taint, timeAdded: formatTime(nowMs) }))]
}

const labelPairs = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const

/** Deprecated labels with the values of the current ones; undefined if they are up to date. */
export function planNodeLabels({ metadata }: Node): Readonly<Record<string, string>> | undefined {
  const labels = metadata?.labels
  if (labels === undefined) return undefined
  const missing = labelPairs.filter(([name, oldName]) => Object.hasOwn(labels, name) && labels[oldName] !== labels[name])
  return missing.length === 0 ? undefined : Object.fromEntries(missing.map(([name, oldName]) => [oldName, labels[name]!]))
}
