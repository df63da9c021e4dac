// Nodes whose status is written by stages. The fleet still renews their Leases.
// Ours: Stages belong to KWOK, another program.
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Node, Stored } from '../../api/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import type { Informer } from '../../runtime/informer.ts'
import { TimerQueue } from '../timer-queue.ts'
import type { Stage } from './stage.ts'
import type { StagePlayer, StageWait } from './stage-player.ts'

interface NodeStagesOptions {
  readonly clock: Clock
  readonly informer: Informer<Node>
  readonly player: StagePlayer<Node>
  /** Undefined: the node is not in the fleet, or is down. */
  findNode(name: string): { readonly name: string; readonly ip: string } | undefined
  onFailure(what: string, error: unknown): void
}

interface NodeStages {
  /** The node may have changed. */
  evaluate(name: string): void
  stop(): void
}

interface NodeRecord {
  readonly uid: string
  wait?: StageWait | undefined
  last?: Stage
  count: number
  isPlaying: boolean
  failures: number
}

const retryLimits = { firstMs: 100, maxMs: 10_000 }

const retryMs = ({ failures }: NodeRecord) => backoffMs(failures + 1, retryLimits)

export function playNodeStages({ clock, informer, player, findNode, onFailure }: NodeStagesOptions): NodeStages {
  const played = new Map<string, NodeRecord>()
  const timers = new TimerQueue<string>(clock, (name) => evaluate(name))
  let isStopped = false

  const recordOf = ({ metadata: { name, uid } }: Stored<Node>): NodeRecord => {
    const known = played.get(name)
    if (known?.uid === uid) return known
    const made = { uid, count: 0, isPlaying: false, failures: 0 }
    played.set(name, made)
    return made
  }

  const evaluate = (name: string) => {
    const object = informer.get(name)
    const node = findNode(name)
    if (isStopped || object === undefined || node === undefined) return timers.delete(name)
    const record = recordOf(object)
    if (record.isPlaying) return
    const nowMs = clock.now()
    try {
      record.wait = player.plan(object, record.wait, record.count, record.last, nowMs)
    } catch (error) {
      record.failures++
      onFailure(`node ${name}: stages`, error)
      return timers.set(name, nowMs + retryMs(record))
    }
    if (record.wait === undefined) return timers.delete(name)
    if (record.wait.dueMs > nowMs) return timers.set(name, record.wait.dueMs)
    void play(object, node, record, record.wait.stage)
  }

  const play = async (object: Stored<Node>, node: { readonly name: string; readonly ip: string }, record: NodeRecord, stage: Stage) => {
    const { name } = node
    record.isPlaying = true
    try {
      await player.ready
      await player.play(object, stage, node, '', clock.now())
      record.wait = undefined
      record.last = stage
      record.count++
      record.failures = 0
    } catch (error) {
      if (isStopped || isStatusError(error, 'NotFound')) return
      record.failures++
      onFailure(`node ${name}: stage ${stage.metadata?.name ?? ''}`, error)
    } finally {
      record.isPlaying = false
    }
    // The change reaches the informer, now or soon, and causes another evaluation.
    timers.set(name, clock.now() + (record.failures === 0 ? 0 : retryMs(record)))
  }

  informer.onChange((current, previous) => {
    const { name } = (current ?? previous)!.metadata
    if (current === undefined) {
      played.delete(name)
      timers.delete(name)
    } else evaluate(name)
  })
  return {
    evaluate,
    stop() {
      isStopped = true
      timers.stop()
    },
  }
}
