// When a rollout started, and when it was over: all available, complete, and no old pod left.

export class RolloutTimes {
  availableAtMs: number | undefined
  completeAtMs: number | undefined
  oldGoneAtMs: number | undefined
  /** Since the last step all have been complete, and then no old pod was left. */
  #isRolledOut = false
  #isCleared = false
  #firstChangeMs: number | undefined
  #firstFaultMs: number | undefined

  /** The first change; without one the first fault, which workloads recover from. A fault in the run of a Job does not start it. */
  startMs(isServing: boolean): number {
    return this.#firstChangeMs ?? (isServing ? this.#firstFaultMs : undefined) ?? 0
  }

  noteStep(nowMs: number, isFault: boolean): void {
    if (isFault) this.#firstFaultMs ??= nowMs
    else this.#firstChangeMs ??= nowMs
    this.#isRolledOut = false
    this.#isCleared = false
  }

  /** What an autoscaler does after the rollout is no part of it: it changes the size, or evicts the pods of nodes that it removes. */
  noteAvailable(nowMs: number, isAutoscaled: boolean): void {
    if (!this.#isRolledOut || !isAutoscaled) this.availableAtMs = nowMs
  }

  noteComplete(nowMs: number, isAutoscaled: boolean, oldPods: number): void {
    if (this.#isRolledOut && isAutoscaled) return
    this.completeAtMs = nowMs
    this.#isRolledOut = true
    this.#isCleared ||= oldPods === 0
  }

  noteOldGone(nowMs: number, isAutoscaled: boolean): void {
    if (!this.#isCleared || !isAutoscaled) this.oldGoneAtMs = nowMs
    this.#isCleared ||= this.#isRolledOut
  }
}
