import { decodeChanges, encodeHeader, type FileHeader, FrameEncoder, findFrame, framesStart, newHeader, readFrame } from './frames.ts'
import type { StoredRecord } from './store.ts'
import { type FileWindow, type StoreFiles, writeWholeFile } from './store-files.ts'

// A snapshot: every record as of one revision, in the order of the keys. It replaces the journals with smaller numbers.
// The last frame has no records: a file without it is not whole.

export const snapshotName = (number: number) => `snapshot-${String(number).padStart(8, '0')}`

// Encoding a frame takes some 0.5 ms: so long do writers wait at most.
const frameRecords = 256
const frameCharacters = 2 ** 18
/** The disk gets it in parts, so that the last sync, and the journal's syncs beside it, do not wait for all of it. */
const bytesASync = 8 * 2 ** 20

export interface SnapshotState {
  readonly revision: number
  readonly records: readonly StoredRecord[]
}

export class SnapshotCancelledError extends Error {}

/** Resolves with its length when it is durable under its name. Other work gets its turn between two frames. */
export async function writeSnapshot(
  files: StoreFiles,
  number: number,
  { revision, records }: SnapshotState,
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
      if (position - synced > bytesASync) {
        await file.sync()
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
  while (end < records.length && end - start < frameRecords && characters < frameCharacters) characters += records[end++]!.text.length
  return end
}

/** Where a snapshot is damaged. */
export interface SnapshotDamage {
  readonly position: number
  readonly what: string
  /** How many records cannot be read, and between which keys they were. */
  readonly lostRecords: number
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Reads all frames that are intact, in order, and says what is not. */
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
