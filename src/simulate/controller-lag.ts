// How far behind the controllers may be: what they decide now may rest on what was stored so long ago.
import type { Faults } from './faulty-client.ts'

/** A reconcile makes a few calls one after the other, and a delayed call waits before and after. */
const callsInASync = 20
const slackMs = 50

export class ControllerLag {
  #ms = 0

  get ms(): number {
    return this.#ms
  }

  /** From now on calls and watches are so slow. Work that began before may still be under way, so the lag never becomes less. */
  add({ callMs, watchMs }: Pick<Faults, 'callMs' | 'watchMs'>): void {
    if (callMs > 0 || watchMs > 0) this.#ms = Math.max(this.#ms, watchMs + callsInASync * callMs + slackMs)
  }

  /** A stale controller acts on what it read at any time before. */
  addUnknown(): void {
    this.#ms = Number.POSITIVE_INFINITY
  }
}
