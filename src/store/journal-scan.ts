import { type FileHeader, type Frame, findFrame, frameHeadBytes, framesStart, readFrame, readFrameHead } from './frames.ts'
import { extentBytes, isZero } from './journal-file.ts'
import type { FileWindow } from './store-files.ts'

// Reads a journal, and classifies the bytes behind its last intact frame. A crash may leave a frame of which the disk has some
// sectors, and zeros instead of the others: a torn frame, which was never acknowledged. Everything else is damage.

type JournalTail =
  | { readonly is: 'clean' | 'torn' }
  /** `laterRevision` is the newest revision that can be read behind the damage. */
  | { readonly is: 'damaged'; readonly what: string; readonly laterRevision?: number }

export interface JournalScan {
  /** The position for the next frame. */
  readonly end: number
  /** The last revision; without frames the one that was passed in. */
  readonly revision: number
  readonly frames: number
  readonly tail: JournalTail
}

/** The unit in which a disk writes. */
const sectorBytes = 512

/** Visits the frames that continue `revision`, in order. */
export function scanJournal(window: FileWindow, header: FileHeader, revision: number, visit: (body: Buffer) => void): JournalScan {
  let end = framesStart
  let last = revision
  let frames = 0
  for (;;) {
    const frame = readFrame(window, header, end)
    if (frame === undefined) break
    if (frame.first !== last + 1) {
      const what = `goes on with revision ${frame.first} where ${last + 1} should follow`
      return { end, revision: last, frames, tail: { is: 'damaged', what, laterRevision: newestFrom(window, header, frame) } }
    }
    visit(frame.body)
    last = frame.first + frame.count - 1
    end = frame.end
    frames++
  }
  return { end, revision: last, frames, tail: judgeTail(window, header, end, last) }
}

function judgeTail(window: FileWindow, header: FileHeader, end: number, revision: number): JournalTail {
  const wholeBytes = window.size - (window.size % extentBytes)
  if (end > wholeBytes || !isZeroFrom(window, Math.max(end, wholeBytes))) return { is: 'damaged', what: 'is cut off' }
  if (isZeroFrom(window, end)) return { is: 'clean' }
  const later = findFrame(window, header, end + 1)
  if (later !== undefined) return { is: 'damaged', what: 'is damaged', laterRevision: newestFrom(window, header, later) }
  const head = readFrameHead(window, header, end)
  if (head !== undefined && head.end > window.size) return { is: 'damaged', what: 'is cut off' }
  // No frame contains a sector of zeros, so a zero sector inside a frame was never written.
  const isTorn = hasZeroSector(window, end, head === undefined || head.first !== revision + 1 ? end + frameHeadBytes : head.end)
  return isTorn ? { is: 'torn' } : { is: 'damaged', what: 'is damaged' }
}

function newestFrom(window: FileWindow, header: FileHeader, first: Frame): number {
  let newest = 0
  for (let frame: Frame | undefined = first; frame !== undefined; frame = findFrame(window, header, frame.end)) {
    newest = Math.max(newest, frame.first + frame.count - 1)
  }
  return newest
}

function hasZeroSector(window: FileWindow, start: number, end: number): boolean {
  for (let at = start; at < end; ) {
    const next = Math.min(end, at - (at % sectorBytes) + sectorBytes)
    if (isZero(window.read(at, next - at))) return true
    at = next
  }
  return false
}

const stepBytes = 2 ** 19

function isZeroFrom(window: FileWindow, start: number): boolean {
  for (let at = start; at < window.size; at += stepBytes) if (!isZero(window.read(at, stepBytes))) return false
  return true
}
