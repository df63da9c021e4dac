// What a simulation is asked to play. Plain data: it travels to worker threads as it is.
import type { KubernetesObject } from '../../api/types.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import type { Expectation } from './expectations.ts'
import { formatLength } from './lengths.ts'
import type { Policy, SimulationResult } from './result.ts'
import { isWorkload } from './workload-kinds.ts'

/** A text, and where something in it begins. Lines and columns count from 1. */
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

export type Action =
  | { readonly type: 'apply'; readonly objects: readonly PlannedObject[] }
  | { readonly type: 'delete'; readonly target: Target }
  /** `container` absent: the first one. */
  | { readonly type: 'image'; readonly target: Target; readonly container?: string; readonly image: string }
  | { readonly type: 'scale'; readonly target: Target; readonly replicas: number }
  | { readonly type: 'restart' | 'pause' | 'resume' | 'undo'; readonly target: Target }
  /** So many pods of the workload, the oldest first; absent: all of them. */
  | { readonly type: 'evict' | 'crash'; readonly target: Target; readonly count?: number }
  /** Whether an object is at this moment as it should be: `spec.replicas` and its value. */
  | { readonly type: 'check'; readonly target: Target; readonly expected: readonly { readonly path: string; readonly value: unknown }[] }
  | { readonly type: 'drain' | 'uncordon' | 'node-down' | 'node-up'; readonly node: string }

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
  /** From scheduled to Ready. Absent: what probes and annotations say, and a little more. */
  readonly startup?: string
  /** From the deletion to the end; the grace period ends it at the latest. Absent: as annotations say, or a part of the grace period. */
  readonly stop?: string
}

/** Nodes like the first group, added when pods wait for room and taken away when they are not needed. */
export interface PlannedAutoscaling {
  readonly min: number
  readonly max: number
  /** From the wish for a node until it is there. */
  readonly delayMs?: number
  /** How long nobody has needed a node when it goes. */
  readonly idleAfterMs?: number
}

export interface Plan extends Pick<SimulationResult, 'title' | 'command' | 'sources'> {
  /** Objects that are left out, and why. */
  readonly ignored: readonly string[]
  readonly objects: readonly PlannedObject[]
  readonly nodes: readonly NodeGroup[]
  readonly autoscale?: PlannedAutoscaling
  readonly timing: PlannedTiming
  readonly policies: readonly Policy[]
  readonly seed: number
  readonly runs: number
  readonly steps: readonly PlannedStep[]
  /** A run ends at the latest so long after its start. */
  readonly withinMs: number
  readonly expectations: readonly Expectation[]
  /** What was assumed because nobody said it. */
  readonly assumptions: readonly string[]
  /** The scenario file, where there is one: it has to come to an end. */
  readonly scenario?: Place
}

/** The change in words; the only workload is not named in each of them. */
export function describeChange({ objects, steps }: Plan): string[] {
  const [workload, ...others] = objects.filter(isWorkload)
  const prefix = others.length === 0 ? `${workload?.object.kind}/${workload?.object.metadata?.name}: ` : ''
  return steps
    .filter(({ action }) => action.type !== 'check')
    .map(({ atMs, text }) => {
      const words = text.replace(prefix, '')
      return atMs === 0 ? words : `${words} at ${formatLength(atMs)}`
    })
}

/** Those that are there first, and those that come later. */
export function allObjects({ objects, steps }: Plan): readonly PlannedObject[] {
  return [...objects, ...steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))]
}

/** What the workloads ask for at most. */
export function mostPods({ objects, steps }: Plan): number {
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
