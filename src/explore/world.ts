// What the explorer explores: a world whose states are fixed numbers of 32-bit words.

/**
 * One step from a state. `words` is only valid during the call. `code` identifies the action within the state that it starts from. A quiet
 * step is one that happens even if users and faults rest.
 */
export type Visit = (words: Int32Array, code: number, isQuiet: boolean, problem: string | undefined) => void

/**
 * Guarantees: two states are equal if and only if their words are; the steps of a state depend on its words only, and come in the same order
 * each time.
 */
export interface World {
  readonly name: string
  /** The number of words of each state. */
  readonly width: number
  /** The first states. */
  initial(): Iterable<Int32Array>
  /** Calls `visit` for each step, or only for the quiet ones. A step that changes nothing is none. */
  expand(words: Int32Array, quietOnly: boolean, visit: Visit): void
  /** Why a state without quiet steps is not the end that was asked for; undefined if it is. */
  restProblem(words: Int32Array): string | undefined
  /** The action in words. */
  describe(words: Int32Array, code: number): string
  /** The state on a line. */
  show(words: Int32Array): string
}
