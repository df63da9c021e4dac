// Opens one store after another on the files that a crash left, and compares it with the list of writes. The disk is simulated: it
// fails at random, and a power failure keeps a random part of the unsynced writes. The crash happens at a random moment, also while a
// store is opened or closed. ROLLCALL_CRASHES=10000 sets the number of crashes, ROLLCALL_SEED=… the seed.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { realClock } from '../base/clock.ts'
import { seededRandom } from '../base/random.ts'
import { openOnFiles } from './durable-store.ts'
import type { Store } from './store.ts'
import { SimulatedDisk } from './testing/simulated-disk.ts'

const rounds = Number(process.env['ROLLCALL_CRASHES'] ?? 300)
const seed = Number(process.env['ROLLCALL_SEED'] ?? 11)

const random = seededRandom(seed)
const upTo = (most: number) => Math.floor(random.next() * (most + 1))
const chance = (share: number) => random.next() < share
const turn = () => new Promise<void>((resolve) => void realClock.after(0, resolve))
const shortWhile = async () => {
  for (let turns = upTo(8); turns > 0; turns--) await turn()
}
const disk = new SimulatedDisk(random)
const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
afterAll(() => warn.mockRestore())

const keys = Array.from({ length: 24 }, (_, i) => `${['pods/', 'é/', '😀/', '\uffee/'][i % 4]}${i}`)
const sizes = [0, 1, 30, 700, 5000, 70_000, 400_000]

interface Write {
  readonly key: string
  /** Undefined: removed. */
  readonly value: string | undefined
  readonly createRevision: number
}

/** The writes in the order of their revisions, which start at 2. */
type Writes = readonly Write[]

function stateAt(writes: Writes, revision: number): string[] {
  const state = new Map<string, string>()
  for (const [i, { key, value, createRevision }] of writes.slice(0, revision - 1).entries()) {
    if (value === undefined) state.delete(key)
    else state.set(key, `${key} ${i + 2} ${createRevision} ${value}`)
  }
  return [...state.keys()].sort().map((key) => state.get(key)!)
}

const stateOf = (store: Store) =>
  store.list('').records.map(({ key, revision, createRevision, value }) => `${key} ${revision} ${createRevision} ${value}`)

/** The bounds of what the next start may find. */
interface Left {
  /** Writes up to this revision were visible: the next start must find them. */
  readonly least: number
  readonly writes: Writes
  /** An alternative: the writes that an error left open whether the disk has them. */
  readonly doubtful?: Writes | undefined
}

class Session {
  readonly store: Store
  writes: Write[]
  doubtful: Writes | undefined
  /** No error left the outcome of a write open. */
  isSure = true
  readonly underWay = new Set<Promise<unknown>>()

  constructor(store: Store, writes: Writes) {
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
    const current = at >= 0 && this.writes[at]!.value !== undefined ? this.writes[at] : undefined
    const expected = current === undefined ? 0 : at + 2
    const revision = this.writes.length + 2
    const head = String(upTo(9)).repeat(sizes[upTo(chance(0.1) ? 6 : 4)]!)
    const isRemoval = current !== undefined && chance(0.35)
    const written = isRemoval ? this.store.remove(key, expected, { head, tail: '' }) : this.store.put(key, expected, { head, tail: '' })
    this.writes.push({ key, value: isRemoval ? undefined : head + revision, createRevision: current?.createRevision ?? revision })
    const settled = written.then(
      (record) => {
        expect(record.revision).toBe(revision)
        if (!this.isSure) throw new Error('a write was taken after one of unknown outcome')
      },
      (error: Error) => {
        if (isDead) return
        if (!/could not commit/.test(error.message)) throw error
        if (/EIO|the disk failed/.test(error.message)) {
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

  left(): Left {
    return { least: this.store.revision, writes: [...this.writes], doubtful: this.doubtful }
  }
}

const problems: unknown[] = []
let total = 0
/** Thrown to the writers of a process that was killed. */
let isDead = false

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

const openStore = () =>
  openOnFiles(
    disk.files(),
    'dir',
    {
      journalBytes: [5000, 20_000, 300_000][upTo(2)]!,
      later: (_, run) => {
        void shortWhile().then(run)
        return () => {}
      },
    },
    () => {},
  )

/** A power failure, or the death of the process. */
async function end(underWay: Iterable<Promise<unknown>> = []): Promise<void> {
  isDead = true
  if (chance(0.6)) disk.crash()
  else disk.kill()
  await Promise.allSettled(underWay)
  for (let turns = 0; turns < 20; turns++) await turn()
  isDead = false
}

async function nextLeft(before: Left): Promise<Left> {
  if (chance(0.2)) {
    const opening = openStore().catch(() => undefined)
    await shortWhile()
    await end([opening])
    return before
  }
  const store = await openStore()
  const session = new Session(store, check(store, before))
  for (let steps = upTo(30); steps > 0; steps--) {
    if (chance(0.03)) disk.failure = { on: 'write', code: 'ENOSPC', after: upTo(3) }
    if (chance(0.01)) disk.failure = { on: 'sync', code: 'EIO', after: upTo(2) }
    for (let writes = upTo(5); writes > 0; writes--) {
      total++
      session.startWrite()
    }
    if (chance(0.5)) await Promise.all(session.underWay)
    else await shortWhile()
  }
  if (chance(0.6)) {
    const left = session.left()
    await end(session.underWay)
    return left
  }
  disk.failure = undefined
  const closing = store.close()
  if (chance(0.5)) {
    await shortWhile()
    const left = session.left()
    await end([closing, ...session.underWay])
    return left
  }
  await closing
  await Promise.all(session.underWay)
  const left = session.left()
  if (chance(0.5)) disk.crash()
  return left
}

describe('a store that crashes at random', () => {
  it(`contains every visible write and no partial write, ${rounds} times (ROLLCALL_SEED=${seed})`, { timeout: 600_000 }, async () => {
    let left: Left = { least: 1, writes: [] }
    for (let round = 0; round < rounds; round++) {
      left = await nextLeft(left)
      expect(problems).toEqual([])
    }
    const store = await openStore()
    check(store, left)
    await store.close()
    expect(total).toBeGreaterThan(rounds * 10)
    expect(disk.failures).toBeGreaterThan(0)
  })
})
