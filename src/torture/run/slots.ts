// Limits how many runs use the processor at a time. A run that only waits gives its slot away.

export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }

  /** Carries out `wait` without a slot. */
  async without(wait: () => Promise<unknown>): Promise<void> {
    this.release()
    try {
      await wait()
    } finally {
      await this.acquire()
    }
  }
}
