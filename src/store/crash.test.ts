import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { openDurableStore } from './durable-store.ts'

let root: string
let writer: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rollcall-crash-'))
  writer = join(root, 'crash-writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('testing/crash-writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: writer,
  })
})
afterAll(() => rm(root, { recursive: true }))

/** The lines that a writer has printed. */
function follow(child: ChildProcess) {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const reader = createInterface({ input: child.stdout! })
  reader.on('line', (line) => {
    lines.push(line)
    for (const check of waiting) check()
  })
  const ended = Promise.all([once(reader, 'close'), once(child, 'exit')])
  /** Resolves with the `count`th line with that prefix. */
  const seen = (beginning: string, count = 1) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const found = lines.filter((line) => line.startsWith(beginning))
        if (found.length < count) return
        waiting.delete(check)
        resolve(found[count - 1]!)
      }
      waiting.add(check)
      ended.then(() => reject(new Error(`The writer ended without "${beginning}": ${lines.join('; ')}`)))
      check()
    })
  return { lines, ended, seen }
}

// Groups of short values are committed synchronously, and most groups of long ones in a thread.
const shortTexts = 10_000
const longTexts = 200_000

// Small enough that many writers are killed while they write a snapshot.
const smallJournal = 300_000

const startWriter = (path: string, seed: number, longest = shortTexts, journalBytes = smallJournal) =>
  spawn(process.execPath, [writer, path, String(seed), String(longest), String(journalBytes)], { stdio: ['ignore', 'pipe', 'ignore'] })

type Known = Map<string, { revision: number; createRevision: number }>

/** The acknowledged writes of a killed writer, and those whose outcome is unknown. */
function readLines(lines: readonly string[], known: Known) {
  const outstanding = new Map<string, string>()
  let acknowledged = 0
  let newest = 0
  for (const line of lines) {
    const [what, type = '', key = '', revision, createRevision] = line.split(' ')
    if (what === 'try') outstanding.set(key, type)
    if (what !== 'ack') continue
    outstanding.delete(key)
    acknowledged++
    newest = Math.max(newest, Number(revision))
    if (type === 'put') known.set(key, { revision: Number(revision), createRevision: Number(createRevision) })
    else known.delete(key)
  }
  return { outstanding, acknowledged, newest }
}

describe('a store whose process is killed', () => {
  it('contains every acknowledged write, and no partial write', { timeout: 60_000 }, async () => {
    const path = join(root, 'killed')
    const random = seededRandom(7)
    const known: Known = new Map()
    let revision = 1
    let total = 0
    for (let round = 0; round < 20; round++) {
      const child = startWriter(path, round, round % 2 === 0 ? shortTexts : longTexts)
      const { lines, ended, seen } = follow(child)
      expect(await seen('open')).toBe(`open ${revision}`)
      await seen('ack', 1 + Math.floor(random.next() * 80))
      child.kill('SIGKILL')
      await ended

      const { outstanding, acknowledged, newest } = readLines(lines, known)
      const store = await openDurableStore({ path })
      try {
        expect(store.revision).toBeGreaterThanOrEqual(newest)
        let unacknowledged = 0
        for (const key of new Set([...known.keys(), ...outstanding.keys(), ...store.list('').records.map(({ key }) => key)])) {
          const was = known.get(key)
          const is = store.get(key)
          if (is !== undefined) expect(is.value).toMatch(new RegExp(`^${key} ${is.revision} x* end$`))
          if (is?.revision === was?.revision && is?.createRevision === was?.createRevision) continue
          // Only a write that was attempted and not acknowledged can have changed it.
          unacknowledged++
          expect(outstanding.get(key)).toBe(is === undefined ? 'delete' : 'put')
          if (is === undefined) known.delete(key)
          else {
            expect(is.revision).toBeGreaterThan(Math.max(revision, was?.revision ?? 0))
            expect(is.revision).toBeLessThanOrEqual(store.revision)
            expect(is.createRevision).toBe(was?.createRevision ?? is.revision)
            known.set(key, is)
          }
        }
        // Every revision is accounted for: none was lost, none was used twice.
        expect(store.revision - revision).toBe(acknowledged + unacknowledged)
        revision = store.revision
        total += acknowledged
      } finally {
        await store.close()
      }
    }
    expect(total).toBeGreaterThanOrEqual(20)
  })

  it('is locked while its process lives, and unlocked after the process was killed', async () => {
    const path = join(root, 'locked')
    const child = startWriter(path, 1)
    const { ended, seen } = follow(child)
    await seen('ack')
    await expect(openDurableStore({ path })).rejects.toThrow(`Cannot open the store: directory "${path}" is in use by process ${child.pid}`)
    const second = follow(startWriter(path, 2))
    expect(await second.seen('failed')).toContain(`is in use by process ${child.pid}`)
    child.kill('SIGKILL')
    await ended
    const store = await openDurableStore({ path })
    expect(store.revision).toBeGreaterThan(1)
    const third = follow(startWriter(path, 3))
    expect(await third.seen('failed')).toContain(`is in use by process ${process.pid}`)
    await store.close()
  })

  // A limit on file sizes simulates a full disk without privileges.
  it.skipIf(process.platform === 'win32').each([
    { name: 'short values', longest: shortTexts, limit: 4096, journalBytes: 0 },
    { name: 'long values', longest: longTexts, limit: 8192, journalBytes: 0 },
    { name: 'long values, with snapshots', longest: longTexts, limit: 4096, journalBytes: smallJournal },
  ])('refuses $name that do not fit on the disk, and keeps the earlier ones', async ({ name, longest, limit, journalBytes }) => {
    const path = join(root, name)
    const child = spawn(
      'sh',
      [
        '-c',
        `trap '' XFSZ; ulimit -f ${limit}; exec "$0" "$@"`,
        process.execPath,
        writer,
        path,
        '4',
        String(longest),
        String(journalBytes),
      ],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const { lines, ended, seen } = follow(child)
    expect(await seen('failed')).toMatch(/^failed Cannot write "worker-\d\/\d+": the store could not commit: EFBIG: file too large, write$/)
    await ended
    expect(child.exitCode).toBe(3)
    const known: Known = new Map()
    const { acknowledged, newest } = readLines(lines, known)
    const store = await openDurableStore({ path })
    expect([store.revision, store.revision - 1]).toEqual([newest, acknowledged])
    expect(store.list('').records.map(({ key, revision }) => [key, revision])).toEqual(
      [...known].map(([key, { revision }]) => [key, revision]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
    )
    await store.close()
  })
})
