import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, coreEvents, namespaces, secrets } from '../../api/kinds.ts'
import { fixedKinds } from '../../api/machinery/kind-set.ts'
import type { ConfigMap, OwnerReference } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startGarbageCollector } from './garbage-collector.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const open = async () => {
  const kinds = fixedKinds([configMaps, secrets, namespaces] as never)
  bench = await openControllerBench({ start: (parts) => [startGarbageCollector({ ...parts, kinds })] })
}
const create = (name: string, ownerReferences: readonly OwnerReference[] = [], namespace = 'default') =>
  bench.client.create(configMaps, namespace, { metadata: { name, ownerReferences } } as ConfigMap)
const namesIn = async (namespace: string) => {
  await bench.settle()
  return (await bench.client.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name).sort()
}

describe('startGarbageCollector()', () => {
  it('deletes objects whose references have the uid of an object, but not its kind or name', async () => {
    await open()
    const { metadata } = await create('owner')
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
    await create('right', [reference])
    await create('other-kind', [{ ...reference, kind: 'Secret' }])
    await create('other-name', [{ ...reference, name: 'nothing' }])
    await create('one-of-two', [reference, { ...reference, name: 'nothing' }])
    await create('two-of-one', [{ ...reference, name: 'nothing' }, reference])
    await create('unknown-kind', [{ ...reference, apiVersion: 'example.com/v1', kind: 'Widget' }])
    expect(await namesIn('default')).toEqual(['one-of-two', 'owner', 'right', 'two-of-one', 'unknown-kind'])
  })

  it('deletes the dependents that do not block too, while an owner in foreground deletion waits for those that do', async () => {
    await open()
    const { metadata } = await create('owner')
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
    const createHeld = (name: string, blockOwnerDeletion: boolean) =>
      bench.client.create(configMaps, 'default', {
        metadata: { name, finalizers: ['example.com/held'], ownerReferences: [{ ...reference, blockOwnerDeletion }] },
      } as ConfigMap)
    await createHeld('blocks', true)
    await createHeld('does-not-block', false)
    await create('free', [reference])
    await bench.settle()
    await bench.client.delete(configMaps, { namespace: 'default', name: 'owner' }, { propagationPolicy: 'Foreground' })
    expect(await namesIn('default')).toEqual(['blocks', 'does-not-block', 'owner'])
    const { items } = await bench.client.list(configMaps, { namespace: 'default' })
    expect(items.filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined)).toEqual([])
  })

  it('deletes an object whose owner is in another namespace, and reports the reference', async () => {
    await open()
    await bench.client.create(namespaces, undefined, { metadata: { name: 'other' } })
    const { metadata } = await create('owner')
    await create('item', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }], 'other')
    expect(await namesIn('other')).toEqual([])
    const { items } = await bench.client.list(coreEvents, { namespace: 'other' })
    expect(items.map(({ type, reason, message }) => [type, reason, message])).toEqual([
      [
        'Warning',
        'OwnerRefInvalidNamespace',
        `ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: ${metadata.uid}] does not exist in namespace "other"`,
      ],
    ])
  })
})
