import { expect, it } from 'vitest'
import { authority } from '../api/kinds/certificates/cluster-trust-bundle/testing/certificates.ts'
import { clusterTrustBundles } from '../api/kinds.ts'
import { openControllerBench } from '../cluster/testing/controller-bench.ts'
import { createTrustBundleReader } from './trust-bundles.ts'

it('chooses trust bundles as the kubelet does', async () => {
  let read: ReturnType<typeof createTrustBundleReader> | undefined
  const bench = await openControllerBench({
    start({ informers }) {
      read = createTrustBundleReader(informers)
      return { synced: Promise.resolve(), stop: async () => {} }
    },
  })
  try {
    for (const [name, spec, labels] of [
      ['free', {}, { tier: 'a' }],
      ['example.com:s:one', { signerName: 'example.com/s' }, { tier: 'a' }],
      ['example.com:s:two', { signerName: 'example.com/s' }, {}],
    ] as const)
      await bench.client.create(clusterTrustBundles, undefined, { metadata: { name, labels }, spec: { trustBundle: authority, ...spec } })
    await bench.settle()
    const chosen = (choice: object) => read!({ path: 'ca.pem', ...choice }).map(({ metadata }) => metadata?.name)
    const signerName = 'example.com/s'
    expect(chosen({ name: 'free' })).toEqual(['free'])
    expect(chosen({ name: 'none' })).toEqual([])
    expect(chosen({ signerName })).toEqual([])
    expect(chosen({ signerName, labelSelector: {} }).sort()).toEqual(['example.com:s:one', 'example.com:s:two'])
    expect(chosen({ signerName, labelSelector: { matchLabels: { tier: 'a' } } })).toEqual(['example.com:s:one'])
  } finally {
    await bench.stop()
  }
})
