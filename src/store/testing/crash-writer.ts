import { writeSync } from 'node:fs'
import { seededRandom } from '../../base/random.ts'
import { openDurableStore } from '../durable-store.ts'

// The process that the crash tests kill. It writes without end, and tells before each write what it tries and after each
// what was acknowledged: `try <type> <key>`, `ack <type> <key> <revision> <create revision>`. Each worker has keys of its own,
// so at any moment it has tried at most one write that is not acknowledged.

const [path = '', seed = '0', longest = '0', journalBytes = '0'] = process.argv.slice(2)
const workers = 8

/** Sizes from a few bytes to the longest. */
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
  // Not the code of a process that ends for what nobody caught.
  process.exitCode = 3
}
