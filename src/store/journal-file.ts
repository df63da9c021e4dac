import { encodeHeader, type FileHeader, frameHeadBytes, framesStart, newHeader } from './frames.ts'
import { type StoreFile, type StoreFiles, writeWholeFile } from './store-files.ts'

// One file of the journal, open for appending. A group of changes is one frame; it is durable when `append…` has returned.
//
// The file is longer than its frames, with zeros behind them, and a frame is written only where the disk already has zeros.
// - A frame then changes nothing but its own bytes, which the disk takes in two thirds of the time.
// - A file that was cut is recognised: its length is a multiple of `extentBytes`, but for zeros that a crash left behind that.

export const extentBytes = 2 ** 20
const zeros = Buffer.alloc(extentBytes)
/** When less than this is left, more is added in the background. */
const lowRoom = extentBytes / 4
const extentsAtATime = 4
const maxBytesInPlace = 2 ** 18

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
  /** So many bytes are on the disk, frames and zeros. */
  #length: number
  #extending: Promise<void> | undefined
  #failure: Error | undefined

  private constructor(file: StoreFile, header: FileHeader, position: number) {
    this.#file = file
    this.header = header
    this.#position = position
    this.#length = file.size() - (file.size() % extentBytes)
  }

  /** Appends at `position`. What is behind it is overwritten with zeros, and what is before it is made durable. */
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

  /** Set when it is no longer known what the disk has: nothing is appended any more. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Whether a frame of that length can be appended without waiting for more zeros. */
  hasRoomFor(bytes: number): boolean {
    return this.#position + bytes <= this.#length
  }

  appendInPlace(bytes: Buffer): void {
    this.#checkUsable()
    try {
      this.#file.writeInPlace(bytes, this.#position)
    } catch (error) {
      this.#withdraw(bytes.length, error)
      throw error
    }
    try {
      this.#file.syncInPlace()
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
      // Most go to the system's memory in no time; the disk is what takes long.
      if (bytes.length <= maxBytesInPlace) this.#file.writeInPlace(bytes, this.#position)
      else await this.#file.write(bytes, this.#position)
    } catch (error) {
      this.#withdraw(bytes.length, error)
      throw error
    }
    try {
      await this.#file.sync()
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
    if (this.#extending !== undefined || this.#failure !== undefined || this.#length - this.#position >= lowRoom) return
    // A failure is reported to the write that needs the room.
    this.#extend(this.#length + 1).catch(() => {})
  }

  /** Adds zeros until the file has so many bytes, and some more. One at a time. */
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
    for (const extents of new Set([Math.max(needed, extentsAtATime), needed])) {
      const end = this.#length + extents * extentBytes
      try {
        for (let at = this.#length; at < end; at += extentBytes) await this.#file.write(zeros, at)
      } catch (error) {
        if (extents === needed) throw error
        continue
      }
      try {
        await this.#file.sync()
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
      const found = bytes.subarray(0, this.#file.readInPlace(bytes.subarray(0, Math.min(extentBytes, size - at)), at))
      if (!isZero(found)) await this.#file.write(zeros.subarray(0, found.length), at)
    }
    // A killed process may have left frames that were on their way to the disk.
    await this.#file.sync()
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** What was written of a frame must not stay: it was refused. */
  #withdraw(length: number, cause: unknown): void {
    try {
      for (let at = 0; at < length; at += extentBytes) {
        this.#file.writeInPlace(zeros.subarray(0, Math.min(extentBytes, length - at)), this.#position + at)
      }
      this.#file.syncInPlace()
    } catch {
      this.#failure = unknownState(cause)
    }
  }

  /**
   * After a failed sync the system may have dropped what it could not write, and say at the next sync that all is well. So nothing is tried again.
   * The frame may be on the disk although it was refused; its head is overwritten, as far as that still works.
   */
  #fail(cause: unknown): void {
    this.#failure = unknownState(cause)
    try {
      this.#file.writeInPlace(zeros.subarray(0, frameHeadBytes), this.#position)
    } catch {
      // Nothing more can be done.
    }
  }
}

/** Of at most `extentBytes` bytes. */
export function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length))
}

function unknownState(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`the disk failed (${reason}), and it is not known what it has; restart to read back what is there`, { cause })
}
