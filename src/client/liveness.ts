// Detects that a silent server is no longer reachable, with the intervals of client-go.
import type { CancelTimer, Clock } from '../base/clock.ts'

const askAfterMs = 30_000
const answerWithinMs = 15_000

export class Liveness {
  readonly #clock: Clock
  readonly #server: { ask(): void; onDead(afterSeconds: number): void }
  #receivedAtMs: number
  #cancel: CancelTimer = () => {}

  /** `ask` sends a ping, which the server has to acknowledge. */
  constructor(clock: Clock, server: { ask(): void; onDead(afterSeconds: number): void }) {
    this.#clock = clock
    this.#server = server
    this.#receivedAtMs = clock.now()
    this.#wait()
  }

  noteReceived(): void {
    this.#receivedAtMs = this.#clock.now()
  }

  stop(): void {
    this.#cancel()
  }

  #wait(): void {
    this.#cancel = this.#clock.after(Math.max(this.#receivedAtMs + askAfterMs - this.#clock.now(), 1), () => {
      if (this.#clock.now() - this.#receivedAtMs < askAfterMs) this.#wait()
      else this.#ask()
    })
  }

  #ask(): void {
    const receivedAtMs = this.#receivedAtMs
    this.#server.ask()
    this.#cancel = this.#clock.after(answerWithinMs, () => {
      if (this.#receivedAtMs > receivedAtMs) this.#wait()
      else this.#server.onDead((askAfterMs + answerWithinMs) / 1000)
    })
  }
}
