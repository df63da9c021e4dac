import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

// The file operations that the durable store needs, as an interface, so that tests can crash and fail a simulated disk.

export interface StoreFile {
  size(): number
  /** Reads up to `bytes.length` bytes; returns how many were read. */
  readSync(bytes: Buffer, position: number): number
  /** Writes all of the bytes. */
  writeSync(bytes: Buffer, position: number): void
  /** As `writeSync`, in another thread. */
  write(bytes: Buffer, position: number): Promise<void>
  /** Resolves when everything that was written is on the disk. */
  datasync(): Promise<void>
  datasyncSync(): void
  close(): Promise<void>
}

export interface StoreFiles {
  /** The names of the files in the directory. */
  list(): string[]
  /** Throws when there is no such file, unless it may be created. */
  open(name: string, mode: 'read' | 'write' | 'create'): Promise<StoreFile>
  rename(from: string, to: string): void
  remove(name: string): void
  /** Makes created, renamed and removed names durable. */
  syncNames(): Promise<void>
  /** What the disk has left for this process. */
  freeBytes(): number
}

const flags = {
  read: fs.constants.O_RDONLY,
  write: fs.constants.O_RDWR,
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC,
}

export function filesOf(directory: string): StoreFiles {
  const pathOf = (name: string) => join(directory, name)
  return {
    list: () => fs.readdirSync(directory),
    open: async (name, mode) => new NodeFile(await open(pathOf(name), flags[mode], 0o600)),
    rename: (from, to) => fs.renameSync(pathOf(from), pathOf(to)),
    remove: (name) => fs.rmSync(pathOf(name), { force: true }),
    async syncNames() {
      // Windows cannot open directories, and does not need to sync them.
      if (process.platform === 'win32') return
      const handle = await open(directory)
      await handle.sync().finally(() => handle.close())
    },
    freeBytes() {
      const { bavail, bsize } = fs.statfsSync(directory)
      return bavail * bsize
    },
  }
}

class NodeFile implements StoreFile {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  size(): number {
    return fs.fstatSync(this.#handle.fd).size
  }

  readSync(bytes: Buffer, position: number): number {
    let done = 0
    while (done < bytes.length) {
      const count = fs.readSync(this.#handle.fd, bytes, done, bytes.length - done, position + done)
      if (count === 0) break
      done += count
    }
    return done
  }

  writeSync(bytes: Buffer, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += fs.writeSync(this.#handle.fd, bytes, done, bytes.length - done, position + done)
    }
  }

  async write(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten
    }
  }

  datasync(): Promise<void> {
    return this.#handle.datasync()
  }

  datasyncSync(): void {
    fs.fdatasyncSync(this.#handle.fd)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** Creates a file atomically: it is written under another name, synced and renamed. */
export async function writeWholeFile(files: StoreFiles, name: string, write: (file: StoreFile) => Promise<void>): Promise<void> {
  const temporary = `${name}${temporarySuffix}`
  try {
    const file = await files.open(temporary, 'create')
    try {
      await write(file)
      await file.datasync()
    } finally {
      await file.close()
    }
    files.rename(temporary, name)
  } catch (error) {
    try {
      files.remove(temporary)
    } catch {
      // The next start removes it.
    }
    throw error
  }
  await files.syncNames()
}

export const temporarySuffix = '.new'

const windowBytes = 2 ** 20

/** Buffered reads of a file at arbitrary positions. */
export class FileWindow {
  readonly #file: StoreFile
  readonly size: number
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: StoreFile) {
    this.#file = file
    this.size = file.size()
  }

  /** Up to `length` bytes from `position`; fewer at the end of the file. They are valid until the next call. */
  read(position: number, length: number): Buffer {
    const end = Math.min(position + length, this.size)
    if (end <= position) return Buffer.alloc(0)
    if (position < this.#start || end > this.#start + this.#bytes.length) {
      const wanted = Math.min(Math.max(end - position, windowBytes), this.size - position)
      const bytes = Buffer.allocUnsafeSlow(wanted)
      this.#bytes = bytes.subarray(0, this.#file.readSync(bytes, position))
      this.#start = position
    }
    return this.#bytes.subarray(position - this.#start, end - this.#start)
  }
}
