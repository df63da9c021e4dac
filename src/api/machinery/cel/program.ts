// What a compiled expression is made of: each part is a function of a frame.
// Kubernetes: github.com/google/cel-go/interpreter.Interpretable
import { CostExceededError, EvaluationError } from './evaluation-error.ts'

/** What evaluations may cost together. Kubernetes' unit: a read of a field costs 1. */
export class Budget {
  #spent = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get remaining(): number {
    return this.limit - this.#spent
  }

  get spent(): number {
    return this.#spent
  }

  /** Adds what an evaluation has spent. Never throws. */
  charge(cost: number): void {
    this.#spent += cost
  }

  /** Throws CostExceededError. */
  spend(cost: number): void {
    this.#spent += cost
    if (this.#spent > this.limit) throw new CostExceededError()
  }
}

export interface Frame {
  /** The values of variables, by slot. */
  readonly slots: unknown[]
  readonly budget: Budget
}

export type Run = (frame: Frame) => unknown

export const bothTrue = (left: Run, right: Run): Run => logical(left, right, false)
export const eitherTrue = (left: Run, right: Run): Run => logical(left, right, true)

/** `decisive` on either side decides, even where the other side fails. */
function logical(left: Run, right: Run, decisive: boolean): Run {
  return (frame) => {
    let failure: EvaluationError
    try {
      const one = left(frame)
      if (one === decisive) return decisive
      if (one === !decisive) return asBool(right(frame))
      failure = new EvaluationError('no such overload')
    } catch (error) {
      failure = absorbed(error)
    }
    if (right(frame) === decisive) return decisive
    throw failure
  }
}

/** The error, if logical operators may absorb it. An exceeded budget is thrown again. */
export function absorbed(error: unknown): EvaluationError {
  if (!(error instanceof EvaluationError) || error instanceof CostExceededError) throw error
  return error
}

export function asBool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new EvaluationError('no such overload')
  return value
}
