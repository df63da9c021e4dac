// The limits and messages are those of kube-apiserver v1.36.4 with etcd: a PodTemplate with an environment variable of 1,572,474 bytes was the
// largest that was stored.
import { describe, expect, it, test } from 'vitest'
import { kinds as builtIn, configMaps, customResourceDefinitions, podTemplates, secrets } from '../../api/kinds.ts'
import { KindSet } from '../../api/machinery/kind-set.ts'
import { definition } from '../custom/testing/definitions.ts'
import { input, openBench, options, refusal } from './testing/rest-bench.ts'

const tooLarge = { code: 500, message: 'etcdserver: request is too large' }
const templateWith = (length: number) => ({
  metadata: { name: `t${length}` },
  template: { spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'X', value: 'v'.repeat(length) }] }] } },
})

describe('a stored object', () => {
  it('may take as much as etcd accepts in a request', async () => {
    const { create } = await openBench()
    await create(podTemplates, templateWith(1_572_000))
    expect(await refusal(create(podTemplates, templateWith(1_572_864)))).toMatchObject(tooLarge)
    expect(await refusal(create(podTemplates, templateWith(2_090_000)))).toMatchObject(tooLarge)
    expect(await refusal(create(podTemplates, templateWith(2_100_000)))).toMatchObject({
      code: 500,
      message: expect.stringMatching(
        /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(2100\d{3} vs\. 2097152\)$/,
      ),
    })
  })

  it('is measured in protobuf: without escapes and base64', async () => {
    const { create } = await openBench()
    await create(configMaps, { metadata: { name: 'a' }, data: { a: '\u0001"\n'.repeat(300_000) } })
    await create(secrets, { metadata: { name: 'a' }, data: { a: 'AAAA'.repeat(330_000) } })
  })

  it('grows no further by patches and applied configurations', async () => {
    const { create, rest } = await openBench()
    await create(podTemplates, templateWith(1_000_000))
    const grown = { template: { spec: { containers: [{ name: 'c', args: ['x'.repeat(700_000)] }] } } }
    const patch = (type: 'merge' | 'strategic', dryRun = false) =>
      rest.patch(podTemplates, 'default', 't1000000', undefined, type, { object: grown }, { ...options, dryRun })
    expect(await refusal(patch('strategic'))).toMatchObject(tooLarge)
    await patch('strategic', true)
    const metadata = { name: 't1000000' }
    const configuration = input({ apiVersion: 'v1', kind: 'PodTemplate', metadata, ...grown })
    const applied = rest.patch(podTemplates, 'default', 't1000000', undefined, 'apply', configuration, {
      ...options,
      manager: 'a',
      force: true,
    })
    expect(await refusal(applied)).toMatchObject(tooLarge)
  })
})

test('a custom resource that grows by the defaults of its definition is refused', async () => {
  const kinds = new KindSet(builtIn)
  const { create } = await openBench({ kinds })
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`f${index}`, { type: 'string', default: 'x'.repeat(1000) }]),
  )
  const items = { type: 'object', properties }
  const schema = { openAPIV3Schema: { type: 'object', properties: { list: { type: 'array', items } } } }
  await create(customResourceDefinitions, definition([{ name: 'v1', served: true, storage: true, schema }] as never))
  const kind = kinds.all.find(({ plural }) => plural === 'crontabs')!
  const withItems = (count: number) => ({ metadata: { name: 'a' }, list: Array.from({ length: count }, () => ({})) })
  expect(await refusal(create(kind, withItems(16)))).toMatchObject(tooLarge)
  await create(kind, withItems(15))
  // It would take more memory than there is.
  expect(await refusal(create(kind, withItems(1_000_000)))).toMatchObject(tooLarge)
})

describe('past versions in a store in memory', () => {
  const large = 'x'.repeat(100_000)

  /** How many are kept of 1,000 patches. */
  const keptOf = async (patchOf: (i: number) => object) => {
    const { rest, store, create } = await openBench()
    await create(configMaps, { metadata: { name: 'a' }, data: { kept: 'x' } })
    for (let i = 0; i < 1000; i++) await rest.patch(configMaps, 'default', 'a', undefined, 'merge', input(patchOf(i)), options)
    return store.revision - store.compactRevision
  }

  it.each([
    ['values', (i: number) => ({ data: { value: `${i}${large}` } })],
    ['annotations', (i: number) => ({ metadata: { annotations: { value: `${i}${large}` } } })],
  ])('are few where large %s change', async (_, patchOf) => {
    const kept = await keptOf(patchOf)
    expect(kept).toBeGreaterThan(20)
    expect(kept).toBeLessThan(200)
  })

  it('are many of a small object', async () => {
    expect(await keptOf((i) => ({ metadata: { labels: { at: `${i}` } } }))).toBeGreaterThan(1000)
  })
})
