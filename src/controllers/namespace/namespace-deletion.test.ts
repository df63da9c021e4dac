import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, kinds, namespaces, pods } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { fixedKinds } from '../../api/machinery/kind-set.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { ConfigMap, Namespace, Pod } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startNamespaceDeletion } from './namespace-deletion.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const emptied = (kinds as readonly Kind[]).filter(
  ({ namespaced, verbs, storage }) => namespaced && storage === undefined && (verbs === undefined || verbs.includes('deletecollection')),
)

describe('startNamespaceDeletion()', () => {
  it('deletes pods before anything else', async () => {
    bench = await openControllerBench({ start: (parts) => startNamespaceDeletion({ ...parts, kinds: fixedKinds(emptied) }) })
    const { client, settle, until, pass } = bench
    await client.create(namespaces, undefined, { metadata: { name: 'terminating' } } as Namespace)
    const spec = { containers: [{ name: 'c', image: 'nginx' }] }
    await client.create(pods, 'terminating', { metadata: { name: 'held', finalizers: ['example.com/held'] }, spec } as Pod)
    await client.create(configMaps, 'terminating', { metadata: { name: 'needed' } } as ConfigMap)
    await client.delete(namespaces, { name: 'terminating' })
    await settle()
    pass(5000)
    await settle()
    const held = await client.get(pods, { namespace: 'terminating', name: 'held' })
    expect(held.metadata.deletionTimestamp).toBeDefined()
    expect((await client.list(configMaps, { namespace: 'terminating' })).items.map(({ metadata }) => metadata.name)).toEqual(['needed'])
    const { status } = await client.get(namespaces, { name: 'terminating' })
    const remaining = status?.conditions?.find(({ type }) => type === 'NamespaceContentRemaining')
    expect(remaining).toMatchObject({ status: 'True', message: 'Some resources are remaining: pods. has 1 resource instances' })
    await client.patch(pods, { namespace: 'terminating', name: 'held' }, 'merge', { metadata: { finalizers: null } })
    await until('the namespace was deleted', async () => {
      pass(2000)
      return client.get(namespaces, { name: 'terminating' }).then(
        () => false,
        (error) => isStatusError(error, 'NotFound'),
      )
    })
    expect((await client.list(configMaps, { namespace: 'terminating' })).items).toEqual([])
  })
})
