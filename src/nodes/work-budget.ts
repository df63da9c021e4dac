// Limits the work of simulated pods, scripts and stages. Work is counted, not timed: the same input uses the same work on every
// machine, and one seed gives one trace.

/** What the code of one pod may use in one sync; the rest continues in the next. */
const maxReconcileUnits = 20_000
/** What a single command, query or template may use. It cannot be interrupted: it fails beyond this limit. */
const maxStepUnits = 50_000

/** A single step exceeded its limit. */
export class WorkLimitError extends Error {
  constructor() {
    super('exceeded the work limit of a simulated container')
  }
}

/** A unit is about a microsecond on a slow machine. */
export class WorkBudget {
  #left = maxReconcileUnits
  #stepLeft = maxStepUnits
  #spent = 0

  get spent(): number {
    return this.#spent
  }

  /** Nothing more may start in this sync. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Starts a step: the next point at which work can be interrupted comes after it. */
  beginStep(): void {
    this.#stepLeft = maxStepUnits
  }

  /** Throws WorkLimitError when the step exceeds its limit. */
  spend(units: number): void {
    this.add(units)
    this.#stepLeft -= units
    if (this.#stepLeft < 0) throw new WorkLimitError()
  }

  /** The cost of reading or copying a string once. */
  spendCharacters(characters: number): void {
    this.spend(1 + characters / 64)
  }

  /** Adds work that was done under a limit of its own. */
  add(units: number): void {
    this.#left -= units
    this.#spent += units
  }
}

// A value that contains another value many times is small in memory but large in its serialized form.
// Ours: Stages belong to KWOK, another program.
const maxDepth = 100

/** Charges the work of serializing the value. Throws WorkLimitError. */
export function spendValue(value: unknown, work: WorkBudget, depth = 0): void {
  work.spend(0.2)
  if (depth > maxDepth) throw new Error('a value is nested too deeply')
  if (typeof value === 'string') work.spend(value.length / 64)
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) spendValue(one, work, depth + 1)
}
