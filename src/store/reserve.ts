import { extentBytes } from './journal-file.ts'
import { type StoreFiles, writeWholeFile } from './store-files.ts'

// Room that the store keeps on its disk, in a file of zeros. When the disk is full, the file is given up: its room takes the next start with
// its small files, the deletions that the journal has no room for, and the snapshot that replaces the journals once little is left.

export const reserveName = 'reserve'
const reserveExtents = 4
export const reserveBytes = reserveExtents * extentBytes
/** What a start writes next to the store: its lock, a kubeconfig, renewed certificates. */
const smallFilesBytes = 2 ** 18

export class Reserve {
  readonly #files: StoreFiles
  #isHeld: boolean
  /** Whether the disk was full at the start. */
  readonly startedFull: boolean

  /** Gives the room up where a start would have none for its small files. */
  constructor(files: StoreFiles) {
    this.#files = files
    this.#isHeld = files.list().includes(reserveName)
    const isFull = files.freeBytes() < smallFilesBytes
    if (isFull) this.release()
    this.startedFull = isFull || this.isLost
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** The bytes that can be written, those of the reserve included. */
  get room(): number {
    return this.#files.freeBytes() + (this.#isHeld ? reserveBytes : 0)
  }

  /** Whether there is neither a reserve nor room for one beside the journal. */
  get isLost(): boolean {
    return !this.#isHeld && this.#files.freeBytes() < reserveBytes + extentBytes
  }

  /** Throws when the disk has no room for it. */
  async fill(): Promise<void> {
    if (this.#isHeld) return
    await writeWholeFile(this.#files, reserveName, async (file) => {
      const zeros = Buffer.alloc(extentBytes)
      for (let extent = 0; extent < reserveExtents; extent++) await file.write(zeros, extent * extentBytes)
    })
    this.#isHeld = true
  }

  release(): void {
    this.#files.remove(reserveName)
    this.#isHeld = false
  }
}

/** Whether a write failed because the disk has no room left. */
export function isNoSpace(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC'
}
