// How far back lists may look. The store forgets by number; whoever pages through a list must also hear within minutes
// that it has grown old, as where states are compacted by the clock.

interface Mark {
  readonly atMs: number
  readonly revision: number
}

const maxAgeMs = 300_000
const markIntervalMs = 30_000

export class ListHorizon {
  /** The revision at some moments, oldest first. The first is the newest of those that are old enough to be forgotten. */
  readonly #marks: Mark[] = []

  /** Whether states before `revision` are too old to be listed. Each call also remembers that `current` is of now. */
  isExpired(revision: number | undefined, current: number, nowMs: number): boolean {
    const marks = this.#marks
    const last = marks.at(-1)
    if (last === undefined || nowMs - last.atMs >= markIntervalMs) marks.push({ atMs: nowMs, revision: current })
    while (marks.length > 1 && nowMs - marks[1]!.atMs >= maxAgeMs) marks.shift()
    const oldest = marks[0]!
    return revision !== undefined && nowMs - oldest.atMs >= maxAgeMs && revision < oldest.revision
  }
}
