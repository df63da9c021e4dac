import { crc32 } from 'node:zlib'
import { type StoreFile, type StoreFiles, writeWholeFile } from './store-files.ts'

// The high-water mark of the store: the revision and the journal of the newest acknowledged write. It reveals a journal that was cut
// or replaced by an older one, which the journal alone cannot. It is written about once a second while there are writes, and when
// the store is closed; it is a lower bound.
//
// Two slots of 4096 bytes are written in turn, so that a torn write leaves the other one. A slot:
//   byte 0   "rollhead"    8  sequence    16  revision    24  number of the journal    28  checksum of bytes 0 to 27

export interface HeadMark {
  readonly revision: number
  readonly journal: number
}

export const headName = 'head'
const magic = Buffer.from('rollhead')
const slotBytes = 4096
const checksumAt = 28

export class HeadFile {
  readonly #file: StoreFile
  #sequence: number
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: StoreFile, sequence: number) {
    this.#file = file
    this.#sequence = sequence
  }

  static async open(files: StoreFiles): Promise<HeadFile> {
    const file = await files.open(headName, 'write')
    return new HeadFile(file, readHead(file)?.sequence ?? 0)
  }

  /** Resolves when it is durable. */
  write(mark: HeadMark): Promise<void> {
    const written = this.#writing.then(async () => {
      const sequence = this.#sequence + 1
      await this.#file.write(encodeSlot(mark, sequence), (sequence % 2) * slotBytes)
      await this.#file.datasync()
      this.#sequence = sequence
    })
    this.#writing = written.catch(() => {})
    return written
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file.close()
  }
}

export function createHead(files: StoreFiles, mark: HeadMark): Promise<void> {
  return writeWholeFile(files, headName, async (file) => {
    const bytes = Buffer.alloc(2 * slotBytes)
    encodeSlot(mark, 0).copy(bytes)
    await file.write(bytes, 0)
  })
}

/** Undefined: no slot of the file is intact. */
export function readHead(file: StoreFile): (HeadMark & { sequence: number }) | undefined {
  const bytes = Buffer.alloc(2 * slotBytes)
  file.readSync(bytes, 0)
  const slots = [0, slotBytes].flatMap((start) => decodeSlot(bytes.subarray(start, start + checksumAt + 4)) ?? [])
  return slots.sort((a, b) => b.sequence - a.sequence)[0]
}

function encodeSlot({ revision, journal }: HeadMark, sequence: number): Buffer {
  const bytes = Buffer.alloc(checksumAt + 4)
  magic.copy(bytes)
  bytes.writeDoubleLE(sequence, 8)
  bytes.writeDoubleLE(revision, 16)
  bytes.writeUInt32LE(journal, 24)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, checksumAt)), checksumAt)
  return bytes
}

function decodeSlot(bytes: Buffer): (HeadMark & { sequence: number }) | undefined {
  if (!bytes.subarray(0, 8).equals(magic) || crc32(bytes.subarray(0, checksumAt)) !== bytes.readUInt32LE(checksumAt)) return undefined
  return { sequence: bytes.readDoubleLE(8), revision: bytes.readDoubleLE(16), journal: bytes.readUInt32LE(24) }
}
