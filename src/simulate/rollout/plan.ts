// The input of a simulation. Plain data, so that it can be sent to worker threads.
import type { KubernetesObject } from '../../api/types.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import type { Expectation } from './expectations.ts'
import { formatLength } from './lengths.ts'
import type { PlannedLoad } from './load/load.ts'
import type { Policy, SimulationResult } from './result.ts'
import { isWorkload } from './workload-kinds.ts'

/** A position in an input file. Lines and columns count from 1. */
export interface Place {
  readonly source: string
  readonly line?: number
  readonly column?: number
}

export interface PlannedObject {
  readonly object: KubernetesObject
  readonly place: Place
  /** Line and column of each field: `spec.containers.0.image`. */
  readonly fields?: ReadonlyMap<string, readonly [number, number]>
}

export interface Target {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

export const targetOf = ({ kind = '', metadata }: KubernetesObject): Target => ({
  kind,
  namespace: metadata?.namespace ?? 'default',
  name: metadata?.name ?? '',
})

export type Action =
  | { readonly type: 'apply'; readonly objects: readonly PlannedObject[] }
  | { readonly type: 'delete'; readonly target: Target }
  /** `container` absent: the first one. */
  | { readonly type: 'image'; readonly target: Target; readonly container?: string; readonly image: string }
  | { readonly type: 'scale'; readonly target: Target; readonly replicas: number }
  | { readonly type: 'restart' | 'pause' | 'resume' | 'undo'; readonly target: Target }
  /** `count` pods of the workload, the oldest first; absent: all pods. */
  | { readonly type: 'evict' | 'crash'; readonly target: Target; readonly count?: number }
  /** Compares fields of an object at this moment, such as `spec.replicas`. */
  | { readonly type: 'check'; readonly target: Target; readonly expected: readonly { readonly path: string; readonly value: unknown }[] }
  | { readonly type: 'drain' | 'uncordon' | 'node-down' | 'node-up'; readonly node: string }
  /** As an upgrade does: until the nodes have no pod any more, all at once, or one after the other, each of which comes back. */
  | { readonly type: 'drain-nodes'; readonly nodes: readonly string[]; readonly isOneByOne: boolean }

export type ActionType = Action['type']

export interface PlannedStep {
  readonly atMs: number
  readonly action: Action
  /** In words, for the time axis. */
  readonly text: string
  readonly place?: Place
  /** Absent: under every policy. */
  readonly policies?: readonly Policy[]
}

/** Durations as on pods: `20s±5s`. */
export interface PlannedTiming {
  /** From scheduled to Ready. Absent: from probes and annotations, plus a default. */
  readonly startup?: string
  /** From the deletion to the termination, limited by the grace period. Absent: from annotations, or a part of the grace period. */
  readonly stop?: string
  /** How long a pull takes where a node does not have the image; not part of the startup. Absent: no time. */
  readonly pull?: string
}

/** Nodes like the first group, added when pods wait for room and removed when they are unneeded. */
export interface PlannedAutoscaling {
  readonly min: number
  readonly max: number
  /** How long adding a node takes. */
  readonly delayMs?: number
  /** How long a node must be unneeded before it is removed. */
  readonly idleAfterMs?: number
  /** The number of nodes that are not of the group. Absent: none. */
  readonly others?: number
}

export const defaultWithinMs = 3_600_000

export interface Plan extends Pick<SimulationResult, 'title' | 'command' | 'sources'> {
  /** Objects that are left out, and why. */
  readonly ignored: readonly string[]
  readonly objects: readonly PlannedObject[]
  readonly nodes: readonly NodeGroup[]
  readonly autoscale?: PlannedAutoscaling
  /** The average price of a node for an hour. */
  readonly nodePrice?: number
  readonly timing: PlannedTiming
  /** By workload, such as `deployment/web`. What `timing` has is for all of them. */
  readonly timings?: Readonly<Record<string, PlannedTiming>>
  /** What workloads have to serve. Absent: nothing. */
  readonly loads?: readonly PlannedLoad[]
  /** The workloads whose size an autoscaler decides. Absent: none. */
  readonly autoscaled?: readonly Target[]
  readonly policies: readonly Policy[]
  /** Whether the user's cluster knows the field podReplacementPolicy. Absent: not known. */
  readonly clusterHasPolicies?: boolean
  readonly seed: number
  readonly runs: number
  readonly steps: readonly PlannedStep[]
  /** The maximum duration of a run. */
  readonly withinMs: number
  /** Whether changes of pods are exact to the millisecond, however many there are. Absent: only of few pods. */
  readonly isExact?: boolean
  readonly expectations: readonly Expectation[]
  /** Assumptions about input that was not given. */
  readonly assumptions: readonly string[]
  /** The scenario file, where there is one. */
  readonly scenario?: Place
}

/** Describes the steps. A single workload is not named in each of them, one of several by its namespace where others have its name; policies are, where a step belongs to some of those that are simulated. */
export function describeChange({ objects, steps, policies }: Pick<Plan, 'objects' | 'steps' | 'policies'>): string[] {
  const [workload, ...others] = objects.filter(isWorkload)
  const prefix = others.length === 0 ? `${workload?.object.kind}/${workload?.object.metadata?.name}: ` : ''
  const targets = objects.map(({ object }) => targetOf(object))
  const isAmbiguous = ({ kind, name }: Target) => targets.filter((one) => one.kind === kind && one.name === name).length > 1
  const named = (action: Action, text: string) => {
    if (!('target' in action) || !isAmbiguous(action.target)) return text
    const { kind, namespace, name } = action.target
    return text.replace(`${kind}/${name}`, `${kind}/${namespace}/${name}`)
  }
  return steps.flatMap(({ action, atMs, text, policies: own = policies }) => {
    const under = policies.filter((policy) => own.includes(policy))
    if (action.type === 'check' || under.length === 0) return []
    const when = atMs === 0 ? '' : ` at ${formatLength(atMs)}`
    return [`${named(action, text).replace(prefix, '')}${when}${under.length === policies.length ? '' : ` (${under.join(', ')} only)`}`]
  })
}

/** The initial objects, and those that steps apply. */
export function allObjects({ objects, steps }: Plan): readonly PlannedObject[] {
  return [...objects, ...steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))]
}

/** The largest number of pods that the workloads request at any time. */
export function maxPods({ objects, steps }: Plan): number {
  const replicasOf = ({ object }: PlannedObject) => {
    const { spec } = object as { readonly spec?: { readonly replicas?: number; readonly parallelism?: number } }
    return Number(spec?.replicas ?? spec?.parallelism ?? 0)
  }
  const steady = objects.reduce((sum, object) => sum + replicasOf(object), 0)
  const scaled = steps.map(({ action }) =>
    action.type === 'scale'
      ? action.replicas
      : action.type === 'apply'
        ? action.objects.reduce((sum, object) => sum + replicasOf(object), 0)
        : 0,
  )
  return Math.max(steady, ...scaled)
}
