import { describe, expect, it } from 'vitest'
import { limitRanges } from '../../api/kinds.ts'
import { openMemoryStore } from '../../store/memory-store.ts'
import type { Store } from '../../store/store.ts'
import { AdmissionObjects } from './admission-objects.ts'

const kind = limitRanges
const draft = { head: '{"metadata":{"resourceVersion":"', tail: '"}}' }

function open() {
  const inner = openMemoryStore()
  let lists = 0
  const store = {
    get revision() {
      return inner.revision
    },
    list(...request: Parameters<Store['list']>) {
      lists++
      return inner.list(...request)
    },
    watch: (...request: Parameters<Store['watch']>) => inner.watch(...request),
  } as Store
  const rare = new AdmissionObjects({
    store,
    prefixOf: (_, namespace) => (namespace === '' ? 'limits/' : `limits/${namespace}/`),
    read: (_, { key }) => ({ metadata: { name: key } }),
  })
  const names = (namespace: string) => rare.list(kind, namespace).map(({ metadata }) => metadata?.name)
  return { inner, names, lists: () => lists }
}

describe('RareObjects', () => {
  it('reads what does not change once', () => {
    const { names, lists } = open()
    for (let time = 0; time < 5; time++) expect([names('a'), names('b')]).toEqual([[], []])
    expect(lists()).toBe(2)
  })

  it('knows of a change as soon as the writer does', async () => {
    const { inner, names } = open()
    expect(names('a')).toEqual([])
    const { revision } = await inner.put('limits/a/x', 0, draft)
    expect(names('a')).toEqual(['limits/a/x'])
    await inner.remove('limits/a/x', revision, draft)
    expect(names('a')).toEqual([])
  })

  it('is not affected by other kinds', async () => {
    const { inner, names, lists } = open()
    names('a')
    await inner.put('pods/a/x', 0, draft)
    names('a')
    expect(lists()).toBe(1)
  })

  it('remembers so many namespaces', () => {
    const { names, lists } = open()
    for (let index = 0; index < 3000; index++) names(`n-${index}`)
    names('n-2999')
    names('n-0')
    expect(lists()).toBe(3001)
  })
})
