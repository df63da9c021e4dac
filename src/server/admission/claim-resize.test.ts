// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { persistentVolumeClaims, storageClasses } from '../../api/kinds.ts'
import { input, openBench, options, refusal } from '../rest/testing/rest-bench.ts'

const claims = persistentVolumeClaims

async function resize(storage: string, { phase = 'Bound', allowVolumeExpansion = true } = {}): Promise<unknown> {
  const bench = await openBench()
  await bench.create(storageClasses, { metadata: { name: 's' }, provisioner: 'a', allowVolumeExpansion })
  const spec = { storageClassName: 's', volumeName: 'v', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await bench.create(claims, { metadata: { name: 'c' }, spec })
  const patch = (change: object, subresource?: string) =>
    bench.rest.patch(claims, 'default', 'c', subresource, 'merge', input(change), options)
  await patch({ status: { phase, capacity: { storage: '1Gi' } } }, 'status')
  const { response } = await patch({ spec: { resources: { requests: { storage } } } })
  return (response.object as { spec?: { resources?: unknown } }).spec?.resources
}

describe('a claim', () => {
  it('grows where its class allows it', async () => {
    expect(await resize('2Gi')).toEqual({ requests: { storage: '2Gi' } })
  })

  it('does not grow where its class does not allow it', async () => {
    const { code, message } = await refusal(resize('2Gi', { allowVolumeExpansion: false }))
    expect([code, message]).toEqual([
      403,
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ])
  })

  it('keeps its size', async () => {
    expect(await resize('1Gi', { allowVolumeExpansion: false })).toEqual({ requests: { storage: '1Gi' } })
  })
})
