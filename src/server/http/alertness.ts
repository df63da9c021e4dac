// A processor without work falls asleep, and waking it takes longer than a client in a hurry takes to its next request: in a
// virtual machine a tenth of the time of a write. So after an answer the event loop goes on turning for a moment, as long as
// that is what clients are like.
import { availableParallelism } from 'node:os'
import { realClock } from '../../base/clock.ts'

/** Some 0.3 ms. */
const mostTurns = 100
const mostCredit = 8
/** Where it did not pay, it is tried again after so many answers. */
const triesAfter = 32

export class Alertness {
  readonly #nextTurn: (run: () => void) => void
  readonly #canPay: boolean
  #isTurning = false
  #turnsLeft = 0
  #credit = mostCredit
  #answers = 0

  /** With one processor, a client could not go on while this one turns. */
  constructor(nextTurn: (run: () => void) => void = (run) => void realClock.after(0, run), processors = availableParallelism()) {
    this.#nextTurn = nextTurn
    this.#canPay = processors > 1
  }

  /** A request has come. */
  arrived(): void {
    if (this.#turnsLeft > 0) this.#credit = Math.min(this.#credit + 1, mostCredit)
    this.#turnsLeft = 0
  }

  /** All requests have been answered. */
  answered(): void {
    this.#answers++
    if (!this.#canPay || (this.#credit === 0 && this.#answers % triesAfter !== 0)) return
    this.#turnsLeft = mostTurns
    if (this.#isTurning) return
    this.#isTurning = true
    this.#nextTurn(() => this.#turn())
  }

  stop(): void {
    this.#turnsLeft = 0
  }

  #turn(): void {
    if (this.#turnsLeft > 1) {
      this.#turnsLeft--
      this.#nextTurn(() => this.#turn())
      return
    }
    // Nobody came.
    if (this.#turnsLeft === 1) this.#credit = Math.max(this.#credit - 1, 0)
    this.#turnsLeft = 0
    this.#isTurning = false
  }
}
