// The maximum age of the state that controllers act on.
import type { Faults } from '../../cluster/faults/faulty-client.ts'

/** A reconcile makes a few calls one after the other, and a delayed call waits before and after. */
const callsInASync = 20
const slackMs = 50

export class ControllerLag {
  #ms = 0

  get ms(): number {
    return this.#ms
  }

  /** Calls and watches have these delays from now on. The lag never decreases, because earlier work may still be in progress. */
  add({ callMs, watchMs }: Pick<Faults, 'callMs' | 'watchMs'>): void {
    if (callMs > 0 || watchMs > 0) this.#ms = Math.max(this.#ms, watchMs + callsInASync * callMs + slackMs)
  }

  /** A stale controller acts on a state of any age. */
  addUnknown(): void {
    this.#ms = Number.POSITIVE_INFINITY
  }
}
