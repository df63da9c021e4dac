import { writeSync } from 'node:fs'
import { seededRandom } from '../../base/random.ts'
import { openDurableStore } from '../durable-store.ts'

// The process that the crash tests kill. It writes without end, and prints a line before each write and one after each
// acknowledgement: `try <type> <key>`, `ack <type> <key> <revision> <create revision>`. Each worker has keys of its own, so that
// at most one of its writes is not acknowledged.

const [path = '', seed = '0', longest = '0', journalBytes = '0'] = process.argv.slice(2)
const workers = 8

/** Sizes from a few bytes to the maximum. */
function draftOf(key: string, random: number) {
  return { head: `${key} `, tail: ` ${'x'.repeat(Math.floor(random ** 2 * Number(longest)))} end` }
}

const tell = (line: string) => writeSync(1, `${line}\n`)

try {
  const store = await openDurableStore({ path, ...(journalBytes !== '0' && { durability: { journalBytes: Number(journalBytes) } }) })
  tell(`open ${store.revision}`)
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const random = seededRandom(Number(seed) * workers + worker)
      for (;;) {
        const key = `worker-${worker}/${Math.floor(random.next() * 12)}`
        const current = store.get(key)
        const type = current !== undefined && random.next() < 0.3 ? 'delete' : 'put'
        tell(`try ${type} ${key}`)
        const draft = draftOf(key, random.next())
        const { revision, createRevision } =
          type === 'put' ? await store.put(key, current?.revision ?? 0, draft) : await store.remove(key, current!.revision, draft)
        tell(`ack ${type} ${key} ${revision} ${createRevision}`)
      }
    }),
  )
} catch (error) {
  tell(`failed ${(error as Error).message}`)
  // Differs from the exit code of an uncaught error.
  process.exitCode = 3
}
