import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openDurableStore } from '../src/store/durable-store.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'
import { inParallel, timed, withFolder } from './measuring.ts'
import { number } from './table.ts'

// The store alone, in process: writes, reads, memory, opening. `--records N` sets the size of the large store.

const flag = process.argv.indexOf('--records')
const largeStore = flag < 0 ? 100_000 : Number(process.argv[flag + 1])
const podCharacters = 3900

const rows: { what: string; memory: string; durable: string }[] = []
const round = (value: number, digits = 0) => number(value, digits)
const draft = () => ({ head: '{"metadata":{"resourceVersion":"', tail: `"},"filler":"${'x'.repeat(podCharacters - 60)}"}` })
const keyOf = (i: number) => `pods/namespace-${i % 20}/pod-${String(i).padStart(7, '0')}`

async function createAll(store: Store, first: number, total: number, writers: number): Promise<void> {
  await inParallel(total, writers, async (index) => {
    await store.put(keyOf(first + index), 0, draft())
    // As with requests: the next one arrives in another turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  })
}

async function measureWrites(open: () => Promise<Store>, writers: number): Promise<string> {
  const store = await open()
  const total = Math.min(20_000, 1000 + writers * 200)
  await createAll(store, 0, 500, writers)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { wallMs, cpuMs } = await timed(() => createAll(store, 500, total, writers))
  delay.disable()
  await store.close()
  return `${round((total / wallMs) * 1000)}/s, ${round((cpuMs * 1000) / total)} µs of CPU, loop p99 ${round(delay.percentile(99) / 1e6, 1)} max ${round(delay.max / 1e6, 1)} ms`
}

/** The milliseconds of a call, on average. */
function perCall(run: (i: number) => void, times: number): number {
  const start = performance.now()
  for (let i = 0; i < times; i++) run(i)
  return (performance.now() - start) / times
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function measureReads(store: Store): Promise<Record<string, string>> {
  const bare = heapBytes()
  await createAll(store, 0, largeStore, 512)
  const perRecord = (heapBytes() - bare) / largeStore
  const page = (after?: string) => store.list('pods/', { limit: 500, after, revision: past })
  const past = store.revision
  const results: Record<string, string> = {
    'heap beyond the text, a record': globalThis.gc ? `${round(perRecord - podCharacters)} bytes` : 'needs --expose-gc',
    'get one': `${round(perCall((i) => store.get(keyOf((i * 7919) % largeStore)), 200_000) * 1000, 2)} µs`,
    [`list ${round(largeStore / 20)}`]: `${round(
      perCall(() => store.list('pods/namespace-7/'), 200),
      3,
    )} ms`,
    [`list ${round(largeStore)}`]: `${round(
      perCall(() => store.list('pods/'), 20),
      2,
    )} ms`,
    'list a page of 500': `${round(perCall(() => page(), 200) * 1000)} µs`,
  }
  for (let i = 0; i < 2500; i++) void store.put(keyOf(i), store.get(keyOf(i))!.revision, draft())
  await store.put('last', 0, draft())
  results['the same 2,500 changes later, first page'] = `${round(
    perCall(() => page(), 1),
    2,
  )} ms`
  results['and next pages'] = `${round(perCall(() => page(keyOf(40)), 200) * 1000)} µs`
  results['watch from 2,500 changes ago'] = `${round(
    perCall(() => store.watch('pods/', past, () => {})(), 20),
    2,
  )} ms`
  return results
}

const openMemory = async () => openMemoryStore()
await withFolder(async (root) => {
  let directories = 0
  const openDurable = () => openDurableStore({ path: join(root, String(++directories)) })
  for (const writers of [1, 32, 512]) {
    const what = `creates of ${podCharacters} characters, ${writers} at a time`
    rows.push({ what, memory: await measureWrites(openMemory, writers), durable: await measureWrites(openDurable, writers) })
  }
  const path = join(root, 'large')
  const inMemory = await measureReads(openMemoryStore())
  const large = await openDurableStore({ path })
  const durable = await measureReads(large)
  await large.close()
  for (const what of Object.keys(inMemory)) rows.push({ what, memory: inMemory[what]!, durable: durable[what]! })
  for (const [what, directory] of [
    [`open with ${round(largeStore)}`, path],
    ['open an empty one', join(root, 'empty')],
  ] as const) {
    const start = performance.now()
    const store = await openDurableStore({ path: directory })
    rows.push({ what, memory: '', durable: `${round(performance.now() - start)} ms` })
    await store.close()
  }
})

const width = (column: 'what' | 'memory') => Math.max(...rows.map((row) => row[column].length)) + 2
console.log(`${''.padEnd(width('what'))}${'memory'.padEnd(width('memory'))}durable`)
for (const { what, memory, durable } of rows) console.log(what.padEnd(width('what')) + memory.padEnd(width('memory')) + durable)
