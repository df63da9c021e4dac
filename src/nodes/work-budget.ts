// Work that pods, scripts and Stages ask for is counted and not timed: the same input does the same work on every machine,
// and one seed gives one trace.

/** What the code of one pod may do in one reconcile; the rest waits. */
const maxReconcileUnits = 20_000
/** What a single command, query or template may do: it cannot be interrupted, and fails beyond. */
const maxStepUnits = 50_000

/** One step asked for more work than a simulated pod is given. */
export class WorkLimitError extends Error {
  constructor() {
    super('more work than a simulated container is given')
  }
}

/** A unit is about a microsecond on a slow machine. */
export class WorkBudget {
  readonly #maxStep: number
  #left: number
  #stepLeft: number
  #spent = 0

  constructor(maxUnits = maxReconcileUnits, maxStep = maxStepUnits) {
    this.#left = maxUnits
    this.#maxStep = maxStep
    this.#stepLeft = maxStep
  }

  get spent(): number {
    return this.#spent
  }

  /** Nothing more is to be begun in this reconcile. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Something begins that can be interrupted after it. */
  beginStep(): void {
    this.#stepLeft = this.#maxStep
  }

  /** Throws WorkLimitError when the step does too much. */
  spend(units: number): void {
    this.add(units)
    this.#stepLeft -= units
    if (this.#stepLeft < 0) throw new WorkLimitError()
  }

  /** For text that is read or copied once. */
  spendCharacters(characters: number): void {
    this.spend(1 + characters / 64)
  }

  /** Work that was done elsewhere, under a limit of its own. */
  add(units: number): void {
    this.#left -= units
    this.#spent += units
  }
}
