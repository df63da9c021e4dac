import { afterEach, describe, expect, it } from 'vitest'
import { persistentVolumeClaims, persistentVolumes, pods, volumeAttributesClasses } from '../../api/kinds.ts'
import type { PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttributesClass } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startAttributesClassProtection, startClaimProtection, startVolumeProtection } from './claim-protection.ts'

let bench: ControllerBench
const open = async () => {
  bench = await openControllerBench({
    start: (parts) => [startClaimProtection(parts), startVolumeProtection(parts), startAttributesClassProtection(parts)],
  })
}
afterEach(() => bench.stop())

const ref = { namespace: 'default', name: 'data' }
const createClaim = (more: object = {}) =>
  bench.client.create(persistentVolumeClaims, 'default', {
    metadata: { name: 'data' },
    spec: { ...more, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  } as PersistentVolumeClaim)
const createPod = (node?: string) =>
  bench.client.create(pods, 'default', {
    metadata: { name: 'p' },
    spec: {
      ...(node !== undefined && { nodeName: node }),
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
  } as Pod)
const claims = async () => (await bench.client.list(persistentVolumeClaims, { namespace: 'default' })).items.length

describe('the protection of claims', () => {
  it('releases an unused claim', async () => {
    await open()
    await createClaim()
    await bench.client.delete(persistentVolumeClaims, ref)
    await bench.until('it was deleted', async () => (await claims()) === 0)
  })

  it('keeps a claim until its pod has terminated', async () => {
    await open()
    await createClaim()
    await createPod('n1')
    await bench.client.delete(persistentVolumeClaims, ref)
    await bench.settle()
    expect(await claims()).toBe(1)
    await bench.client.delete(pods, { namespace: 'default', name: 'p' }, { gracePeriodSeconds: 0 })
    await bench.until('it was deleted', async () => (await claims()) === 0)
  })

  it('does not wait for a pod that has no node', async () => {
    await open()
    await createClaim()
    await createPod()
    await bench.client.delete(persistentVolumeClaims, ref)
    await bench.until('it was deleted', async () => (await claims()) === 0)
  })

  it('protects a claim again whose finalizer was removed', async () => {
    await open()
    await createClaim()
    await bench.client.patch(persistentVolumeClaims, ref, 'merge', { metadata: { finalizers: ['example.com/mine'] } })
    await bench.settle()
    const { finalizers } = (await bench.client.get(persistentVolumeClaims, ref)).metadata
    expect(finalizers).toEqual(['example.com/mine', 'kubernetes.io/pvc-protection'])
  })

  it('leaves other finalizers alone', async () => {
    await open()
    await createClaim()
    await bench.client.patch(persistentVolumeClaims, ref, 'merge', {
      metadata: { finalizers: ['kubernetes.io/pvc-protection', 'example.com/mine'] },
    })
    await bench.client.delete(persistentVolumeClaims, ref)
    await bench.settle()
    expect((await bench.client.get(persistentVolumeClaims, ref)).metadata.finalizers).toEqual(['example.com/mine'])
  })
})

describe('the protection of volumes', () => {
  it('keeps a volume while it is bound', async () => {
    await open()
    await bench.client.create(persistentVolumes, undefined, {
      metadata: { name: 'v' },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
    } as PersistentVolume)
    const report = (phase: string) =>
      bench.client.patch(persistentVolumes, { name: 'v' }, 'merge', { status: { phase } }, { subresource: 'status' })
    await report('Bound')
    await bench.client.delete(persistentVolumes, { name: 'v' })
    await bench.settle()
    expect((await bench.client.list(persistentVolumes)).items).toHaveLength(1)
    await report('Released')
    await bench.until('it was deleted', async () => (await bench.client.list(persistentVolumes)).items.length === 0)
  })
})

describe('the protection of VolumeAttributesClasses', () => {
  const createClass = () =>
    bench.client.create(volumeAttributesClasses, '', {
      metadata: { name: 'fast' },
      driverName: 'd',
      parameters: { iops: '1' },
    } as unknown as VolumeAttributesClass)
  const classes = async () => (await bench.client.list(volumeAttributesClasses, {})).items

  it('releases an unused class', async () => {
    await open()
    expect((await createClass()).metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
    await bench.client.delete(volumeAttributesClasses, { namespace: '', name: 'fast' })
    await bench.until('it was deleted', async () => (await classes()).length === 0)
  })

  it('keeps a class until the last claim that names it was deleted', async () => {
    await open()
    await createClass()
    await createClaim({ volumeAttributesClassName: 'fast' })
    await bench.client.delete(volumeAttributesClasses, { namespace: '', name: 'fast' })
    await bench.settle()
    expect(await classes()).toHaveLength(1)
    await bench.client.delete(persistentVolumeClaims, ref)
    await bench.until('it was deleted', async () => (await classes()).length === 0)
  })
})
