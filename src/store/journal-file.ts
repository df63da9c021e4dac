import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { encodeHeader, groupHeadBytes, groupsStart, type JournalHeader } from './journal-format.ts'

// One file of the journal, open for appending. A group is durable when `append…` has returned.
//
// The file is kept longer than what is in it, with zeros: a group then changes no more of the file than its bytes, which the
// disk takes in two thirds of the time.

const mostInPlace = 2 ** 18
const zeros = Buffer.alloc(2 ** 20)
const mostWithRoom = 2 ** 17

/** Errors of a disk that is full: what it took is known. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export class JournalFile {
  readonly path: string
  readonly #handle: FileHandle
  #header: JournalHeader
  #position: number
  #length: number
  #unknown: Error | undefined

  private constructor(path: string, handle: FileHandle, length: number, header: JournalHeader, position: number) {
    this.path = path
    this.#handle = handle
    this.#length = length
    this.#header = header
    this.#position = position
  }

  /** Goes on at `position`; without a header the file must `begin` first. */
  static async open(
    path: string,
    header: JournalHeader = { generation: 0, mark: 0, seed: 0 },
    position = groupsStart,
  ): Promise<JournalFile> {
    const handle = await open(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    try {
      return new JournalFile(path, handle, (await handle.stat()).size, header, position)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  get header(): JournalHeader {
    return this.#header
  }

  /** Bytes in use. */
  get position(): number {
    return this.#position
  }

  /** Whether it is no longer known what the disk has. */
  get isUnknown(): boolean {
    return this.#unknown !== undefined
  }

  /** Drops everything that is in the file. One longer than `mostBytes` is cut. Can be tried again when it failed. */
  async begin(generation: number, mostBytes: number): Promise<void> {
    const random = randomBytes(8)
    const header = { generation, mark: random.readUInt32LE(0), seed: random.readUInt32LE(4) }
    if (this.#length > mostBytes) {
      await this.#handle.truncate(mostBytes)
      this.#length = mostBytes
    }
    await writeAll(this.#handle, encodeHeader(header), 0)
    await this.#handle.datasync()
    this.#header = header
    this.#position = groupsStart
  }

  /** True when the file had to be made longer as well. */
  appendInPlace(bytes: Buffer): boolean {
    this.#checkKnown()
    const { fd } = this.#handle
    const end = this.#position + bytes.length
    const room = this.#roomAfter(bytes.length)
    try {
      writeAllInPlace(fd, bytes, this.#position)
      if (room > 0)
        this.#tookRoom(
          end,
          writeSome(() => fs.writeSync(fd, zeros, 0, room, end)),
        )
    } catch (error) {
      this.#withdraw(error)
      throw error
    }
    try {
      fs.fdatasyncSync(fd)
    } catch (error) {
      this.#doubt(error)
      throw error
    }
    this.#position = end
    this.#length = Math.max(this.#length, end)
    return room > 0
  }

  async appendInThread(bytes: Buffer): Promise<void> {
    this.#checkKnown()
    const end = this.#position + bytes.length
    const room = this.#roomAfter(bytes.length)
    try {
      // Most go to memory in no time; it is the disk that one waits for.
      if (bytes.length <= mostInPlace) writeAllInPlace(this.#handle.fd, bytes, this.#position)
      else await writeAll(this.#handle, bytes, this.#position)
      if (room > 0)
        this.#tookRoom(
          end,
          await this.#handle.write(zeros, 0, room, end).then(
            ({ bytesWritten }) => bytesWritten,
            () => 0,
          ),
        )
    } catch (error) {
      this.#withdraw(error)
      throw error
    }
    try {
      await this.#handle.datasync()
    } catch (error) {
      this.#doubt(error)
      throw error
    }
    this.#position = end
    this.#length = Math.max(this.#length, end)
  }

  /** What was read from the file may have been on its way to the disk only. */
  async sync(): Promise<void> {
    await this.#handle.datasync()
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  /** How many zeros are to follow a group of that length. A long one takes its time anyway, and zeros would double it. */
  #roomAfter(length: number): number {
    const end = this.#position + length
    return end <= this.#length || length >= mostWithRoom ? 0 : zeros.length - (end % zeros.length)
  }

  #tookRoom(end: number, bytes: number): void {
    this.#length = end + bytes
  }

  #checkKnown(): void {
    if (this.#unknown !== undefined) throw this.#unknown
  }

  /** Makes sure that what was written of a group is not taken for one. */
  #withdraw(cause: unknown): void {
    const { fd } = this.#handle
    try {
      const written = isFullDisk(cause) ? fs.fstatSync(fd).size - this.#position : groupHeadBytes
      if (written <= 0) return
      writeAllInPlace(fd, zeros.subarray(0, Math.min(written, groupHeadBytes)), this.#position)
      fs.fdatasyncSync(fd)
    } catch {
      this.#unknown = unknownState(cause)
    }
  }

  /** A disk that could not say that it has the group may have it, and may have lost it from memory too. */
  #doubt(cause: unknown): void {
    this.#unknown = unknownState(cause)
    writeSome(() => fs.writeSync(this.#handle.fd, zeros, 0, groupHeadBytes, this.#position))
  }
}

function unknownState(cause: unknown): Error {
  return new Error('an earlier commit failed half way; the store must be opened anew', { cause })
}

function isFullDisk(error: unknown): boolean {
  return fullDisk.has((error as NodeJS.ErrnoException).code ?? '')
}

function writeAllInPlace(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done)
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten
}

function writeSome(write: () => number): number {
  try {
    return write()
  } catch {
    return 0
  }
}
