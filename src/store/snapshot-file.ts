import { decodeChanges, encodeHeader, type FileHeader, FrameEncoder, findFrame, framesStart, newHeader, readFrame } from './frames.ts'
import type { StoreContent } from './revision-store.ts'
import type { StoredRecord } from './store.ts'
import { type FileWindow, type StoreFiles, writeWholeFile } from './store-files.ts'

// A snapshot: every record as of one revision, in the order of the keys. It replaces the journals with smaller numbers.
// The last frame is empty: a file without it is incomplete.

export const snapshotName = (number: number) => `snapshot-${String(number).padStart(8, '0')}`

// Encoding a frame takes about 0.5 ms, which is how long it can delay a write.
const maxFrameRecords = 256
const maxFrameCharacters = 2 ** 18
/** Synced in parts, so that neither the last sync nor concurrent syncs of the journal wait for the whole snapshot. */
const bytesPerSync = 8 * 2 ** 20

export class SnapshotCancelledError extends Error {}

/** Resolves with the size when the snapshot is durable. Yields to other work after each frame. */
export async function writeSnapshot(
  files: StoreFiles,
  number: number,
  { revision, records }: StoreContent,
  isCancelled: () => boolean = () => false,
): Promise<number> {
  const header = newHeader('snapshot', number, revision, records.length)
  const encoder = new FrameEncoder()
  let position = framesStart
  await writeWholeFile(files, snapshotName(number), async (file) => {
    await file.write(encodeHeader(header), 0)
    let synced = 0
    for (let done = 0; done <= records.length; ) {
      if (isCancelled()) throw new SnapshotCancelledError('the snapshot was cancelled')
      const end = endOfFrame(records, done)
      const changes = records.slice(done, end).map((record) => ({ type: 'put' as const, record }))
      const bytes = encoder.encode(header, done, changes)
      await file.write(bytes, position)
      position += bytes.length
      if (position - synced > bytesPerSync) {
        await file.datasync()
        synced = position
      }
      if (end === done) break
      done = end
    }
  })
  return position
}

function endOfFrame(records: readonly StoredRecord[], start: number): number {
  let characters = 0
  let end = start
  while (end < records.length && end - start < maxFrameRecords && characters < maxFrameCharacters)
    characters += records[end++]!.value.length
  return end
}

/** One damaged section of a snapshot. */
interface SnapshotDamage {
  readonly position: number
  readonly what: string
  /** The number of unreadable records; their keys are between `after` and `before`. */
  readonly lostRecords: number
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Passes the records of all intact frames to `take`, in order, and returns the damage. */
export function readSnapshot(window: FileWindow, header: FileHeader, take: (record: StoredRecord) => void): SnapshotDamage[] {
  const damages: SnapshotDamage[] = []
  let position = framesStart
  let count = 0
  let last: string | undefined
  let open: { position: number; what: string; count: number } | undefined
  const closeDamage = (before: string | undefined, lostRecords: number) => {
    if (open === undefined) return
    damages.push({ position: open.position, what: open.what, lostRecords, after: last, before })
    open = undefined
  }
  for (;;) {
    const frame = readFrame(window, header, position)
    if (frame === undefined || frame.first < count || frame.first + frame.count > header.count) {
      open ??= { position, what: position >= window.size ? 'is cut off' : 'is damaged', count }
      const next = findFrame(window, header, position + 1)
      if (next === undefined) break
      position = next.start
      continue
    }
    if (frame.first > count) open ??= { position, what: 'lacks records before', count }
    const changes = decodeChanges(frame.body)
    closeDamage(changes[0]?.record.key, frame.first - count)
    count = frame.first
    if (frame.count === 0) {
      if (count !== header.count)
        damages.push({ position, what: 'ends too early', lostRecords: header.count - count, after: last, before: undefined })
      else if (frame.end !== window.size)
        damages.push({ position: frame.end, what: 'has more than it should', lostRecords: 0, after: last, before: undefined })
      return damages
    }
    for (const { record } of changes) take(record)
    last = changes.at(-1)!.record.key
    count += frame.count
    position = frame.end
  }
  closeDamage(undefined, header.count - count)
  return damages
}
