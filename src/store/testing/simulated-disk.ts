import type { Random } from '../../base/random.ts'
import type { StoreFile, StoreFiles } from '../store-files.ts'

// A disk that loses, tears and fails writes as real ones do. Writes are in the page cache until they are synced; a power failure
// keeps the old or the new version of each unsynced sector and name. As on Linux, the sync after a failed one reports success.

const sectorBytes = 512

interface Content {
  bytes: Buffer
  durable: Buffer
  readonly dirty: Set<number>
}

type NameChange = (names: Map<string, Content>) => void

interface Failure {
  readonly on: 'write' | 'sync'
  readonly code: 'ENOSPC' | 'EIO'
  /** The number of calls before it happens. */
  after: number
}

export class SimulatedDisk {
  readonly #random: Random
  #names = new Map<string, Content>()
  #durableNames = new Map<string, Content>()
  #nameChanges: NameChange[] = []
  /** Incremented by each crash: handles of earlier epochs fail. */
  #epoch = 0
  failure: Failure | undefined
  failures = 0
  /** How many bytes all files can have together. */
  capacity = Number.POSITIVE_INFINITY

  constructor(random: Random) {
    this.#random = random
  }

  /** The process is killed: the page cache stays. */
  kill(): void {
    this.#epoch++
    this.failure = undefined
  }

  /** A power failure: the page cache is lost. */
  crash(): void {
    this.kill()
    const applied = Math.floor(this.#random.next() * (this.#nameChanges.length + 1))
    for (const change of this.#nameChanges.slice(0, applied)) change(this.#durableNames)
    for (const content of new Set(this.#durableNames.values())) this.#loseUnsynced(content)
    this.#names = new Map(this.#durableNames)
    this.#nameChanges = []
  }

  /** The files as they are now, for a test to change. */
  read(): Map<string, Buffer> {
    return new Map([...this.#names].map(([name, { bytes }]) => [name, Buffer.from(bytes)]))
  }

  static of(files: ReadonlyMap<string, Buffer>, random: Random): SimulatedDisk {
    const disk = new SimulatedDisk(random)
    for (const [name, bytes] of files) disk.#names.set(name, { bytes: Buffer.from(bytes), durable: Buffer.from(bytes), dirty: new Set() })
    disk.#durableNames = new Map(disk.#names)
    return disk
  }

  files(): StoreFiles {
    const epoch = this.#epoch
    const check = () => {
      if (epoch !== this.#epoch) throw new Error('the process is dead')
    }
    return {
      list: () => {
        check()
        return [...this.#names.keys()]
      },
      open: async (name, mode) => {
        await this.#pause()
        check()
        if (mode === 'create')
          this.#changeNames((names) => names.set(name, { bytes: Buffer.alloc(0), durable: Buffer.alloc(0), dirty: new Set() }))
        const content = this.#names.get(name)
        if (content === undefined) throw Object.assign(new Error(`ENOENT: ${name}`), { code: 'ENOENT' })
        return this.#file(content, check)
      },
      rename: (from, to) => {
        check()
        const content = this.#names.get(from)!
        this.#changeNames((names) => {
          names.delete(from)
          names.set(to, content)
        })
      },
      remove: (name) => {
        check()
        this.#changeNames((names) => names.delete(name))
      },
      freeBytes: () => this.#freeBytes(),
      syncNames: async () => {
        await this.#pause()
        check()
        this.#durableNames = new Map(this.#names)
        this.#nameChanges = []
      },
    }
  }

  #freeBytes(): number {
    return [...this.#names.values()].reduce((free, { bytes }) => free - bytes.length, this.capacity)
  }

  #changeNames(change: NameChange): void {
    // Both maps must share the content.
    const before = new Map(this.#names)
    change(this.#names)
    const after = new Map(this.#names)
    this.#nameChanges.push((names) => {
      for (const [name, content] of after) if (before.get(name) !== content) names.set(name, content)
      for (const name of before.keys()) if (!after.has(name)) names.delete(name)
    })
  }

  #file(content: Content, check: () => void): StoreFile {
    const writeSync = (bytes: Buffer, position: number) => {
      check()
      const missing = Math.max(0, position + bytes.length - content.bytes.length) - this.#freeBytes()
      if (missing > 0) {
        write(content, bytes.subarray(0, Math.max(0, bytes.length - missing)), position)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      }
      const failure = this.#failureOf('write')
      const length = failure === undefined ? bytes.length : Math.floor(this.#random.next() * bytes.length)
      write(content, bytes.subarray(0, length), position)
      if (failure !== undefined) throw failure
    }
    const datasyncSync = () => {
      check()
      const failure = this.#failureOf('sync')
      if (failure === undefined) content.durable = Buffer.from(content.bytes)
      else this.#persistSome(content)
      content.dirty.clear()
      if (failure !== undefined) throw failure
    }
    return {
      size: () => {
        check()
        return content.bytes.length
      },
      readSync: (bytes, position) => {
        check()
        return content.bytes.copy(bytes, 0, position, position + bytes.length)
      },
      writeSync,
      datasyncSync,
      write: async (bytes, position) => {
        await this.#pause()
        writeSync(bytes, position)
      },
      datasync: async () => {
        await this.#pause()
        datasyncSync()
      },
      close: async () => {},
    }
  }

  #failureOf(on: Failure['on']): Error | undefined {
    const { failure } = this
    if (failure?.on !== on || failure.after-- > 0) return undefined
    this.failure = undefined
    this.failures++
    return Object.assign(new Error(`${failure.code}: ${on} failed`), { code: failure.code })
  }

  async #pause(): Promise<void> {
    for (let turns = Math.floor(this.#random.next() * 4); turns > 0; turns--) await Promise.resolve()
  }

  /** Writes a random part of the unsynced sectors to the disk. */
  #persistSome(content: Content): void {
    const isLonger = content.bytes.length > content.durable.length && this.#random.next() < 0.5
    const durable = Buffer.alloc(isLonger ? content.bytes.length : content.durable.length)
    content.durable.copy(durable)
    for (const sector of content.dirty) {
      const start = sector * sectorBytes
      if (start < durable.length && this.#random.next() < 0.5)
        content.bytes.copy(durable, start, start, Math.min(start + sectorBytes, durable.length))
    }
    content.durable = durable
  }

  #loseUnsynced(content: Content): void {
    this.#persistSome(content)
    content.bytes = Buffer.from(content.durable)
    content.dirty.clear()
  }
}

function write(content: Content, bytes: Buffer, position: number): void {
  const end = position + bytes.length
  if (end > content.bytes.length) content.bytes = Buffer.concat([content.bytes, Buffer.alloc(end - content.bytes.length)])
  bytes.copy(content.bytes, position)
  for (let sector = Math.floor(position / sectorBytes); sector * sectorBytes < end; sector++) content.dirty.add(sector)
}
