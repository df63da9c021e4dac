import { describe, expect, it } from 'vitest'
import { openMemoryStore } from './memory-store.ts'
import { draft } from './testing/draft.ts'
import { describeStore } from './testing/store-contract.ts'

describeStore('memory', async (options) => openMemoryStore(options), { randomRuns: 300 })

describe('openMemoryStore()', () => {
  it('gives the same events in the same order in every run', async () => {
    const run = async () => {
      const store = openMemoryStore()
      const trace: string[] = []
      store.watch('', 1, (events) => trace.push(events.map(({ type, record }) => `${type} ${record.value}`).join()))
      const worker = async (name: string) => {
        for (let i = 0; i < 5; i++) {
          const shared = store.get('shared')
          await store.put('shared', shared?.revision ?? 0, draft(name)).catch(() => trace.push(`${name} lost`))
          const own = await store.put(`${name}/${i}`, 0, draft(name))
          if (i % 2 === 0) await store.remove(own.key, own.revision, draft(name))
        }
      }
      await Promise.all(['a', 'b', 'c'].map(worker))
      return trace
    }
    const first = await run()
    expect(first.length).toBeGreaterThan(20)
    expect(await run()).toEqual(first)
  })

  it('reads the value of a source at the first read', async () => {
    const store = openMemoryStore()
    let asked = 0
    const source = {
      assignRevision() {},
      get value() {
        return `value ${++asked}`
      },
    }
    await store.put('k', 0, { source })
    await store.put('k', 2, draft('next'))
    for (let i = 0; i < 2000; i++) await store.put('k', 3 + i, draft('next'))
    expect(asked).toBe(0)
    expect(store.list('', { revision: 2 }).records[0]?.value).toBe('value 1')
  })

  it('commits in microtasks', async () => {
    const store = openMemoryStore()
    let isTurnOver = false
    setImmediate(() => {
      isTurnOver = true
    })
    for (let i = 0; i < 100; i++) await store.put(`k/${i}`, 0, draft('x'))
    expect(isTurnOver).toBe(false)
  })
})
