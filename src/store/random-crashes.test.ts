// One store after another, each on what a crash left of the one before, against a list of what was written. The disk fails
// now and then, in the journal and in the middle of checkpoints; the crash comes at any moment, also while a store is opened
// or closed. ROLLCALL_CRASHES=1000 goes on for longer, ROLLCALL_SEED=… takes another way.
import fs from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { realClock } from '../base/clock.ts'
import { seededRandom } from '../base/random.ts'
import { type Changes, Database } from './database.ts'
import { openLmdbStore } from './lmdb.ts'
import type { Store } from './store.ts'

const rounds = Number(process.env['ROLLCALL_CRASHES'] ?? 20)
const seed = Number(process.env['ROLLCALL_SEED'] ?? 11)

let root: string
let directories = 0
const newDirectory = () => join(root, `store-${++directories}`)

const random = seededRandom(seed)
const upTo = (most: number) => Math.floor(random.next() * (most + 1))
const chance = (share: number) => random.next() < share
const turn = () => new Promise<void>((resolve) => void realClock.after(0, resolve))
const pause = (ms: number) => new Promise<void>((resolve) => void realClock.after(ms, resolve))
const shortWhile = async () => {
  if (chance(0.3)) await pause(upTo(8))
  else for (let turns = upTo(6); turns > 0; turns--) await turn()
}

const keys = Array.from({ length: 24 }, (_, i) => `${['pods/', 'é/', '😀/', '\uffee/'][i % 4]}${i}`)
const sizes = [0, 1, 30, 700, 5000, 70_000, 400_000]

interface Write {
  readonly key: string
  /** Undefined: removed. */
  readonly text: string | undefined
  readonly createRevision: number
}

/** What was written, in the order of the revisions. The first one is 2. */
type Writes = readonly Write[]

function stateAt(writes: Writes, revision: number): string[] {
  const state = new Map<string, string>()
  for (const [i, { key, text, createRevision }] of writes.slice(0, revision - 1).entries()) {
    if (text === undefined) state.delete(key)
    else state.set(key, `${key} ${i + 2} ${createRevision} ${text}`)
  }
  return [...state.keys()].sort().map((key) => state.get(key)!)
}

const stateOf = (store: Store) =>
  store.list('').records.map(({ key, revision, createRevision, text }) => `${key} ${revision} ${createRevision} ${text}`)

/** What the next start may find. */
interface Left {
  readonly path: string
  /** Shown to somebody: it must be there. */
  readonly least: number
  readonly writes: Writes
  /** Given up after an error that left open whether the disk has it. */
  readonly doubtful?: Writes | undefined
}

// What the disk does next. An error comes once; after it the disk works again.
let journalFailure: { readonly code: 'ENOSPC' | 'EIO'; inCalls: number } | undefined
let databaseFails = false
let failures = 0

function failNow(code: 'ENOSPC' | 'EIO'): void {
  if (journalFailure?.code !== code || journalFailure.inCalls-- > 0) return
  journalFailure = undefined
  failures++
  throw Object.assign(new Error(`${code}: it failed`), { code })
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rollcall-random-crashes-'))
  const { writeSync, fdatasyncSync } = fs
  const writePart = (fd: number, bytes: Buffer, offset: number, length: number, position: number) => {
    failNow('ENOSPC')
    return writeSync(fd, bytes, offset, journalFailure?.code === 'ENOSPC' ? Math.ceil(length / 2) : length, position)
  }
  vi.spyOn(fs, 'writeSync').mockImplementation(writePart as typeof fs.writeSync)
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation((fd) => {
    failNow('EIO')
    fdatasyncSync(fd)
  })
  const handle = await open(join(root, 'any'), 'w')
  const handles = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { datasync, write } = handles
  vi.spyOn(handles, 'datasync').mockImplementation(async function (this: FileHandle) {
    failNow('EIO')
    await datasync.call(this)
  })
  vi.spyOn(handles, 'write').mockImplementation(async function (this: FileHandle, ...parameters: unknown[]) {
    failNow('ENOSPC')
    return (write as (...all: unknown[]) => Promise<never>).call(this, ...parameters)
  } as FileHandle['write'])
  const { write: writeAll } = Database.prototype
  vi.spyOn(Database.prototype, 'write').mockImplementation(async function (this: Database, changes: Changes, revision, isLate) {
    if (chance(0.3)) await pause(upTo(10))
    if (databaseFails && chance(0.5)) {
      // As one that fails between two of its transactions.
      const { revision: before } = await this.read()
      await writeAll.call(this, new Map([...changes].filter(() => chance(0.5))), before)
      throw new Error('the database failed')
    }
    return writeAll.call(this, changes, revision, isLate)
  })
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(root, { recursive: true })
})

/** What a process that is killed now leaves. No other turn of the event loop comes in between. */
function leftNow(path: string): string {
  const copy = newDirectory()
  fs.mkdirSync(copy)
  const failure = journalFailure
  journalFailure = undefined
  for (let before = ''; ; ) {
    for (const name of fs.existsSync(path) ? fs.readdirSync(path) : []) {
      try {
        // Node's own copying never ends on a file that is cut meanwhile.
        fs.writeFileSync(join(copy, name), fs.readFileSync(join(path, name)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        fs.rmSync(join(copy, name), { force: true })
      }
    }
    // LMDB's thread works on: of a database that it committed to meanwhile, the copy is nothing that a crash leaves.
    const after = headOf(path)
    if (after === before) break
    before = after
  }
  journalFailure = failure
  return copy
}

function headOf(path: string): string {
  const file = join(path, 'data.mdb')
  if (!fs.existsSync(file)) return 'none'
  const fd = fs.openSync(file, 'r')
  const head = Buffer.alloc(8192)
  fs.readSync(fd, head, 0, head.length, 0)
  fs.closeSync(fd)
  return head.toString('base64')
}

class Session {
  readonly path: string
  readonly store: Store
  writes: Write[]
  doubtful: Writes | undefined
  /** That no error left anything open. */
  isSure = true
  readonly underWay = new Set<Promise<unknown>>()

  constructor(path: string, store: Store, writes: Writes) {
    this.path = path
    this.store = store
    this.writes = [...writes]
    let seen = store.revision
    store.watch('', seen, (events) => {
      for (const { record } of events) expect(record.revision).toBe(++seen)
    })
  }

  startWrite(): void {
    const key = keys[upTo(keys.length - 1)]!
    const at = this.writes.findLastIndex((write) => write.key === key)
    const current = at >= 0 && this.writes[at]!.text !== undefined ? this.writes[at] : undefined
    const expected = current === undefined ? 0 : at + 2
    const revision = this.writes.length + 2
    const head = String(upTo(9)).repeat(sizes[upTo(chance(0.1) ? 6 : 4)]!)
    const isRemoval = current !== undefined && chance(0.35)
    const written = isRemoval ? this.store.remove(key, expected, { head, tail: '' }) : this.store.put(key, expected, { head, tail: '' })
    this.writes.push({ key, text: isRemoval ? undefined : head + revision, createRevision: current?.createRevision ?? revision })
    const settled = written.then(
      (record) => {
        expect(record.revision).toBe(revision)
        if (!this.isSure) throw new Error('a write was taken after one of unknown outcome')
      },
      (error: Error) => {
        if (!/could not commit/.test(error.message)) throw error
        if (/EIO/.test(error.message)) {
          this.doubtful ??= [...this.writes]
          this.isSure = false
        }
        this.writes.length = Math.min(this.writes.length, this.store.revision - 1)
      },
    )
    this.underWay.add(settled)
    void settled.catch(() => {}).finally(() => this.underWay.delete(settled))
    void settled.catch((error) => problems.push(error))
  }

  left(path = leftNow(this.path)): Left {
    return { path, least: this.store.revision, writes: [...this.writes], doubtful: this.doubtful }
  }
}

const problems: unknown[] = []
let total = 0

function check(store: Store, { least, writes, doubtful }: Left): Writes {
  const { revision } = store
  const state = stateOf(store)
  expect(revision).toBeGreaterThanOrEqual(least)
  const sure = stateAt(writes, revision)
  const isAsWritten = revision <= writes.length + 1 && sure.length === state.length && sure.every((line, i) => line === state[i])
  const found = isAsWritten || doubtful === undefined ? writes : doubtful
  expect(revision).toBeLessThanOrEqual(found.length + 1)
  const short = (line: string) => (line.length > 100 ? `${line.slice(0, 60)}…${line.slice(-10)}` : line)
  expect(state.map(short)).toEqual(stateAt(found, revision).map(short))
  expect(state).toEqual(stateAt(found, revision))
  return found.slice(0, revision - 1)
}

const openStore = (path: string) =>
  openLmdbStore({
    path,
    checkpoint: { journalBytes: [5000, 20_000, 300_000][upTo(2)]!, idleMs: upTo(20), onStage: () => (chance(0.3) ? shortWhile() : turn()) },
  })

async function nextLeft(before: Left): Promise<Left> {
  if (chance(0.3)) {
    // Killed on its way up.
    const opening = openStore(before.path)
    await shortWhile()
    const left = { ...before, path: leftNow(before.path) }
    await (await opening).close()
    return left
  }
  const store = await openStore(before.path)
  const session = new Session(before.path, store, check(store, before))
  databaseFails = chance(0.3)
  for (let steps = upTo(30); steps > 0; steps--) {
    if (chance(0.03)) journalFailure = { code: 'ENOSPC', inCalls: upTo(3) }
    if (chance(0.01)) journalFailure = { code: 'EIO', inCalls: upTo(2) }
    for (let writes = upTo(5); writes > 0; writes--) {
      total++
      session.startWrite()
    }
    if (chance(0.5)) await Promise.all(session.underWay)
    else await shortWhile()
  }
  if (chance(0.5)) {
    const left = session.left()
    journalFailure = undefined
    await store.close()
    return left
  }
  if (chance(0.5)) journalFailure = undefined
  const closing = store.close()
  if (chance(0.6)) {
    await shortWhile()
    const left = session.left()
    journalFailure = undefined
    await closing
    return left
  }
  await closing
  journalFailure = undefined
  await Promise.all(session.underWay)
  return session.left(session.path)
}

describe('a store that crashes at random', () => {
  it(`has what it showed, and nothing but whole writes, ${rounds} times (ROLLCALL_SEED=${seed})`, { timeout: 600_000 }, async () => {
    let left: Left = { path: newDirectory(), least: 1, writes: [] }
    for (let round = 0; round < rounds; round++) {
      const next = await nextLeft(left)
      expect(problems).toEqual([])
      if (next.path !== left.path) await rm(left.path, { recursive: true, force: true })
      left = next
    }
    const store = await openStore(left.path)
    check(store, left)
    await store.close()
    expect(total).toBeGreaterThan(rounds * 10)
    expect(failures).toBeGreaterThan(0)
  })
})
