// The age limit of paged lists. The store drops old states by number of changes; etcd's compaction in Kubernetes drops them after
// five minutes, and clients must handle that, so list tokens expire after five minutes here as well.
// Ours: this store drops old states by number.

interface Mark {
  readonly atMs: number
  readonly revision: number
}

const maxAgeMs = 300_000
const markIntervalMs = 30_000

export class ListHorizon {
  /** Samples of the revision, oldest first. The first is the newest one that exceeds the age limit. */
  readonly #marks: Mark[] = []

  /** Whether the state at `revision` is too old to be listed. Each call also records that `current` is the revision of now. */
  isExpired(revision: number | undefined, current: number, nowMs: number): boolean {
    const marks = this.#marks
    const last = marks.at(-1)
    if (last === undefined || nowMs - last.atMs >= markIntervalMs) marks.push({ atMs: nowMs, revision: current })
    while (marks.length > 1 && nowMs - marks[1]!.atMs >= maxAgeMs) marks.shift()
    const oldest = marks[0]!
    return revision !== undefined && nowMs - oldest.atMs >= maxAgeMs && revision < oldest.revision
  }
}
