import { afterEach, describe, expect, it } from 'vitest'
import { persistentVolumeClaims, persistentVolumes, pods as podKind, storageClasses } from '../../api/kinds.ts'
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startVolumeBinder } from './volume-binder.ts'

let bench: ControllerBench | undefined

afterEach(async () => {
  await bench?.stop()
  bench = undefined
})

const open = async () => {
  bench = await openControllerBench({ start: startVolumeBinder })
}

async function addClaim(name: string, { size = '1Gi', ...spec }: Partial<PersistentVolumeClaim['spec']> & { size?: string } = {}) {
  const claim = { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } }, ...spec } }
  await bench!.client.create(persistentVolumeClaims, 'default', claim)
  await bench!.settle()
}

async function addVolume(name: string, { size = '1Gi', ...spec }: Partial<PersistentVolume['spec']> & { size?: string } = {}) {
  const capacity = { storage: size }
  const volume = { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], capacity, hostPath: { path: '/data' }, ...spec } }
  await bench!.client.create(persistentVolumes, undefined, volume as PersistentVolume)
  await bench!.settle()
}

async function addPod(claimName: string) {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }]
  const pod = { metadata: { name: `uses-${claimName}` }, spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'i' }], volumes } }
  await bench!.client.create(podKind, 'default', pod as Pod)
  await bench!.settle()
}

async function addClass(name: string, more: object = {}) {
  await bench!.client.create(storageClasses, undefined, { metadata: { name }, provisioner: 'example.com/disk', ...more })
  await bench!.settle()
}

const claimNamed = (name: string) => bench!.client.get(persistentVolumeClaims, { namespace: 'default', name })
const phaseOf = async (name: string) => (await claimNamed(name)).status?.phase
const volumeOf = async (name: string) => (await claimNamed(name)).spec?.volumeName
const volumesNow = async () =>
  (await bench!.client.list(persistentVolumes)).items.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`)

describe('startVolumeBinder()', () => {
  it.each([undefined, 'fast'])('provisions a volume for a claim of class %s when its first pod has a node', async (storageClassName) => {
    await open()
    await addClaim('disk', { ...(storageClassName && { storageClassName }) })
    expect([await phaseOf('disk'), ...(await volumesNow())]).toEqual(['Pending'])
    await addPod('disk')
    const claim = await claimNamed('disk')
    const name = `pvc-${claim.metadata.uid}`
    expect(claim.status).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } })
    expect(await volumesNow()).toEqual([`${name} Bound`])
    expect(await bench!.events()).toEqual([
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
      `ProvisioningSucceeded: Successfully provisioned volume ${name}`,
    ])
    expect(bench!.failures).toEqual([])
  })

  it('provisions a volume at once with the binding mode Immediate', async () => {
    await open()
    await addClass('now', { volumeBindingMode: 'Immediate', reclaimPolicy: 'Retain' })
    await addClaim('disk', { storageClassName: 'now' })
    expect(await phaseOf('disk')).toBe('Bound')
    const [volume] = (await bench!.client.list(persistentVolumes)).items
    expect(volume?.spec).toMatchObject({ storageClassName: 'now', persistentVolumeReclaimPolicy: 'Retain' })
    expect(volume?.metadata.annotations).toEqual({ 'pv.kubernetes.io/provisioned-by': 'example.com/disk' })
  })

  it('binds the smallest volume that matches if the class does not provision', async () => {
    await open()
    await addVolume('large', { size: '10Gi' })
    await addVolume('small', { size: '500Mi' })
    await addVolume('right', { size: '2Gi' })
    await addVolume('other', { size: '1Gi', storageClassName: 'fast' })
    await addVolume('shared', { size: '1Gi', accessModes: ['ReadOnlyMany'] })
    expect(await volumesNow()).toContain('right Available')
    await addClaim('disk', { storageClassName: '' })
    expect([await phaseOf('disk'), await volumeOf('disk')]).toEqual(['Bound', 'right'])
    await addClaim('huge', { storageClassName: '', size: '20Gi' })
    expect(await phaseOf('huge')).toBe('Pending')
    expect(await bench!.events()).toEqual(['FailedBinding: no persistent volumes available for this claim and no storage class is set'])
    await addVolume('huge', { size: '30Gi' })
    expect([await phaseOf('huge'), await volumeOf('huge')]).toEqual(['Bound', 'huge'])
  })

  it('binds the volume that the claim names, or that names the claim', async () => {
    await open()
    await addVolume('mine', { claimRef: { namespace: 'default', name: 'promised' } })
    await addClaim('promised')
    await addClaim('asking', { storageClassName: '', volumeName: 'later' })
    expect([await volumeOf('promised'), await phaseOf('promised'), await phaseOf('asking')]).toEqual(['mine', 'Bound', 'Pending'])
    await addVolume('later', { size: '5Gi' })
    expect(await phaseOf('asking')).toBe('Bound')
  })

  it('releases the volume of a deleted claim, and leaves other volumes alone', async () => {
    await open()
    await addVolume('own', { size: '2Gi' })
    await addClaim('static', { storageClassName: '' })
    await addClaim('made')
    await addPod('made')
    for (const name of ['static', 'made']) {
      await bench!.client.patch(persistentVolumeClaims, { namespace: 'default', name }, 'merge', { metadata: { finalizers: null } })
      await bench!.client.delete(persistentVolumeClaims, { namespace: 'default', name })
    }
    await bench!.settle()
    const left = await volumesNow()
    expect(left.filter((one) => one.startsWith('own'))).toEqual(['own Released'])
    const volumes = (await bench!.client.list(persistentVolumes)).items
    expect(volumes.filter(({ metadata }) => metadata.name !== 'own' && metadata.deletionTimestamp === undefined)).toEqual([])
  })

  it('releases the volume of a claim that is deleted during provisioning', async () => {
    const ref = { namespace: 'default', name: 'disk' }
    const turns = async () => {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    bench = await openControllerBench({
      start: startVolumeBinder,
      wrapClient: (client): Client => ({
        ...client,
        create: async (resource, namespace, object, write) => {
          const created = await client.create(resource, namespace, object, write)
          if (resource.plural === persistentVolumes.plural) {
            await turns()
            await client.delete(persistentVolumeClaims, ref)
            await turns()
          }
          return created
        },
      }),
    })
    await addClass('now', { volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' })
    await addClaim('disk', { storageClassName: 'now' })
    await bench.client.patch(persistentVolumeClaims, ref, 'merge', { metadata: { finalizers: null } })
    await bench.settle()
    const left = (await bench.client.list(persistentVolumes)).items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    expect(left).toEqual([])
  })

  it('marks a claim as Lost when its volume was deleted', async () => {
    await open()
    await addVolume('own')
    await addClaim('disk', { storageClassName: '' })
    await bench!.client.patch(persistentVolumes, { name: 'own' }, 'merge', { metadata: { finalizers: null } })
    await bench!.client.delete(persistentVolumes, { name: 'own' })
    await bench!.settle()
    expect(await phaseOf('disk')).toBe('Lost')
    expect((await bench!.events()).at(-1)).toBe('ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!')
  })
})
