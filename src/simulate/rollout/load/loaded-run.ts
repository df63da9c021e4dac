// The load of one run: the metrics that it gives to autoscalers, its changes over time, and whether sizes have become steady.
import type { Pod } from '../../../api/types.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Change, UsageSource } from '../../../cluster/virtual-cluster.ts'
import type { TraceRecorder } from '../record-trace.ts'
import { lastChangeMs, loadAt, type PlannedLoad, usageUnder } from './load.ts'
import { loadKey } from './measured-load.ts'

/** How long a run goes on after the last change of the load, if a size never becomes steady. */
const maxWatchMs = 1_800_000

/** How long a last load that differs from the first is watched where no autoscaler reacts to it. */
const shownMs = 60_000

const quietMsOf = ({ autoscaler, points }: PlannedLoad): number =>
  autoscaler?.quietMs ?? (points.at(-1)!.pods === points[0]!.pods ? 0 : shownMs)

export class LoadedRun {
  readonly #loads: ReadonlyMap<string, PlannedLoad>
  readonly #clock: Clock
  readonly #sizes = new Map<string, number>()
  #zeroMs: number | undefined
  #startedMs: number
  #changedAtMs: number

  constructor(loads: readonly PlannedLoad[], clock: Clock) {
    this.#loads = new Map(loads.map((load) => [loadKey(load.target), load]))
    this.#clock = clock
    this.#startedMs = clock.now()
    this.#changedAtMs = this.#startedMs
  }

  /** Before the trace starts, the load is the first one. */
  #now(load: PlannedLoad): number {
    return loadAt(load, this.#zeroMs === undefined ? 0 : this.#clock.now() - this.#zeroMs)
  }

  readonly usage: UsageSource = (target, pods: readonly Pod[]) => {
    const load = this.#loads.get(loadKey(target))
    return load === undefined ? undefined : usageUnder(load, this.#now(load), pods)
  }

  /** A write of the run. */
  take({ kind, key, object }: Change): void {
    const id = `${kind.kind}/${key}`
    if (this.#loads.get(id)?.autoscaler === undefined) return
    const size = (object as { readonly spec?: { readonly replicas?: number } }).spec?.replicas ?? 0
    if (this.#sizes.get(id) === size) return
    this.#sizes.set(id, size)
    this.#changedAtMs = this.#clock.now()
  }

  /** The trace starts now. */
  begin(recorder: TraceRecorder): void {
    const zeroMs = this.#clock.now()
    this.#zeroMs = zeroMs
    this.#startedMs = zeroMs
    for (const load of this.#loads.values()) {
      const { target, capacity, autoscaler } = load
      const record = () =>
        recorder.load(
          {
            kind: target.kind,
            namespace: target.namespace,
            name: target.name,
            pods: this.#now(load),
            ...(capacity !== undefined && { capacity }),
            ...(autoscaler !== undefined && { isAutoscaled: true }),
          },
          this.#clock.now(),
        )
      record()
      for (const { atMs } of load.points.slice(1)) this.#clock.after(atMs, record)
      this.#clock.after(lastChangeMs(load) + quietMsOf(load), () => {})
    }
  }

  /** Whether all loads have reached their last value, and no autoscaler has changed a size during its stabilization window. */
  get isSteady(): boolean {
    const nowMs = this.#clock.now()
    for (const load of this.#loads.values()) {
      const lastMs = this.#zeroMs === undefined ? this.#startedMs : this.#zeroMs + lastChangeMs(load)
      if (nowMs < lastMs) return false
      const quietMs = quietMsOf(load)
      if (nowMs < lastMs + maxWatchMs && nowMs < Math.max(lastMs, this.#changedAtMs) + quietMs) return false
    }
    return true
  }
}
