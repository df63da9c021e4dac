import { messageOf } from '../base/error-message.ts'
import { encodeHeader, type FileHeader, frameHeadBytes, framesStart, newHeader } from './frames.ts'
import { type StoreFile, type StoreFiles, writeWholeFile } from './store-files.ts'

// One file of the journal, open for appending. A group of changes is one frame; it is durable when `append…` has returned.
//
// The file is allocated ahead: zeros follow the last frame, and a frame is written only where the disk already has zeros.
// - A sync then writes the frame and no file metadata, which takes a third less time.
// - A file that was cut is detected: its length is a multiple of `extentBytes`, apart from zeros that a crash left at the end.

export const extentBytes = 2 ** 20
const zeros = Buffer.alloc(extentBytes)
/** When less is left, the file is extended in the background. */
const minFreeBytes = extentBytes / 4
const extentsPerStep = 4
const maxSyncBytes = 2 ** 18

export const journalName = (number: number) => `journal-${String(number).padStart(8, '0')}`

/** A journal without any frame. */
export async function createJournal(files: StoreFiles, number: number): Promise<FileHeader> {
  const header = newHeader('journal', number)
  await writeWholeFile(files, journalName(number), async (file) => {
    const bytes = Buffer.alloc(extentBytes)
    encodeHeader(header).copy(bytes)
    await file.write(bytes, 0)
  })
  return header
}

export class JournalFile {
  readonly header: FileHeader
  readonly #file: StoreFile
  #position: number
  /** The allocated bytes: frames and zeros. */
  #length: number
  #extending: Promise<void> | undefined
  #failure: Error | undefined
  /** Set while the disk is nearly full: the file is extended by no more than what a frame needs. */
  isFrugal = false

  private constructor(file: StoreFile, header: FileHeader, position: number) {
    this.#file = file
    this.header = header
    this.#position = position
    this.#length = file.size() - (file.size() % extentBytes)
  }

  /** Appends at `position`. The bytes after it are overwritten with zeros, and the bytes before it are made durable. */
  static async open(files: StoreFiles, header: FileHeader, position = framesStart): Promise<JournalFile> {
    const file = await files.open(journalName(header.number), 'write')
    try {
      const journal = new JournalFile(file, header, position)
      await journal.#clearRest()
      return journal
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** The bytes in use. */
  get position(): number {
    return this.#position
  }

  /** Set when the content of the disk is no longer known; `append…` then throws it. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Whether a frame of that length can be appended without waiting for more zeros. */
  hasRoomFor(bytes: number): boolean {
    return this.#position + bytes <= this.#length
  }

  appendSync(bytes: Buffer): void {
    this.#checkUsable()
    try {
      this.#file.writeSync(bytes, this.#position)
    } catch (error) {
      this.#withdraw(bytes.length, error)
      throw error
    }
    try {
      this.#file.datasyncSync()
    } catch (error) {
      this.#fail(error)
      throw error
    }
    this.#position += bytes.length
    this.#extendEarly()
  }

  async append(bytes: Buffer): Promise<void> {
    this.#checkUsable()
    while (!this.hasRoomFor(bytes.length)) await this.#extend(this.#position + bytes.length)
    this.#checkUsable()
    try {
      // A write ends in the page cache and is fast; the sync is what takes time.
      if (bytes.length <= maxSyncBytes) this.#file.writeSync(bytes, this.#position)
      else await this.#file.write(bytes, this.#position)
    } catch (error) {
      this.#withdraw(bytes.length, error)
      throw error
    }
    try {
      await this.#file.datasync()
    } catch (error) {
      this.#fail(error)
      throw error
    }
    this.#position += bytes.length
    this.#extendEarly()
  }

  async close(): Promise<void> {
    await this.#extending?.catch(() => {})
    await this.#file.close()
  }

  #extendEarly(): void {
    if (this.isFrugal || this.#extending !== undefined || this.#failure !== undefined || this.#length - this.#position >= minFreeBytes)
      return
    // A failure is reported to the write that needs the room.
    this.#extend(this.#length + 1).catch(() => {})
  }

  /** Extends the file to at least that many bytes. Concurrent calls share one extension. */
  async #extend(bytes: number): Promise<void> {
    if (this.#extending !== undefined) return this.#extending
    this.#extending = this.#addZeros(bytes).finally(() => {
      this.#extending = undefined
    })
    return this.#extending
  }

  async #addZeros(bytes: number): Promise<void> {
    const needed = Math.ceil((bytes - this.#length) / extentBytes)
    // On a disk that is nearly full, what is needed may still fit.
    for (const extents of new Set([this.isFrugal ? needed : Math.max(needed, extentsPerStep), needed])) {
      const end = this.#length + extents * extentBytes
      try {
        for (let at = this.#length; at < end; at += extentBytes) await this.#file.write(zeros, at)
      } catch (error) {
        if (extents === needed) throw error
        continue
      }
      try {
        await this.#file.datasync()
      } catch (error) {
        this.#fail(error)
        throw error
      }
      this.#length = end
      return
    }
  }

  async #clearRest(): Promise<void> {
    const size = this.#file.size()
    const bytes = Buffer.allocUnsafe(extentBytes)
    for (let at = this.#position; at < size; at += extentBytes) {
      const found = bytes.subarray(0, this.#file.readSync(bytes.subarray(0, Math.min(extentBytes, size - at)), at))
      if (!isZero(found)) await this.#file.write(zeros.subarray(0, found.length), at)
    }
    // A killed process may have left frames in the page cache only.
    await this.#file.datasync()
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Clears a frame that was written in part: its writes have been refused. */
  #withdraw(length: number, cause: unknown): void {
    try {
      for (let at = 0; at < length; at += extentBytes) {
        this.#file.writeSync(zeros.subarray(0, Math.min(extentBytes, length - at)), this.#position + at)
      }
      this.#file.datasyncSync()
    } catch {
      this.#failure = unknownState(cause)
    }
  }

  /**
   * After a failed sync the kernel may drop the unwritten pages and report success at the next sync, so a sync is never retried.
   * The frame may be on the disk although its writes are refused; its head is overwritten if that still works.
   */
  #fail(cause: unknown): void {
    this.#failure = unknownState(cause)
    try {
      this.#file.writeSync(zeros.subarray(0, frameHeadBytes), this.#position)
    } catch {
      // Nothing more can be done.
    }
  }
}

/** For at most `extentBytes` bytes. */
export function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length))
}

function unknownState(cause: unknown): Error {
  const reason = messageOf(cause)
  return new Error(`the disk failed (${reason}), and its content is not known; restart to read it back`, { cause })
}
