// terminatingAsActive is turned off on a Deployment that keeps TerminationComplete, while pods terminate. The cluster checks after every
// write that there are no more pods than replicas + maxSurge.
import { afterEach, describe, expect, it } from 'vitest'
import type { TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster
afterEach(() => cluster.stop())

const asActive = 'rollcall.dev/terminating-as-active'

const web = (settings: { readonly metadata?: object; readonly spec?: object }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', ...settings.metadata },
  spec: {
    replicas: 5,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    podReplacementPolicy: 'TerminationComplete',
    ...settings.spec,
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/stop-delay': '20s' } },
      spec: { containers: [{ name: 'c', image: 'a:1' }] },
    },
  },
})

describe('turning off terminatingAsActive under TerminationComplete', () => {
  for (const [name, on, off] of [
    ['the field', { spec: { terminatingAsActive: true } }, { spec: { terminatingAsActive: null } }],
    ['the annotation', { metadata: { annotations: { [asActive]: 'true' } } }, { spec: { terminatingAsActive: false } }],
  ] as const) {
    const start = async () => {
      cluster = await createCluster()
      await cluster.apply(web(on))
      await cluster.settle()
      for (const replicas of [3, 5]) {
        await cluster.scale('deployment', 'web', replicas)
        await cluster.advance('1s')
      }
    }
    const status = async () => (await cluster.get('deployment', 'web'))?.status
    const settingsOfSet = async () => {
      const [set] = await cluster.list('replicaset')
      return [set?.spec?.terminatingAsActive, set?.metadata.annotations?.[asActive]]
    }

    it(`by ${name}: the replacements of pods that are terminating wait for room, and the Deployment says so`, async () => {
      await start()
      const before = await settingsOfSet()
      await cluster.patch('deployment', 'web', off)
      await cluster.advance('5s')
      expect(await settingsOfSet()).toEqual(before)
      expect(await status()).toMatchObject({ replicas: 3, terminatingReplicas: 2 })
      const events = (await cluster.list('event')).map(({ reason, message }) => `${reason}: ${message}`)
      expect(events.join('\n')).toContain('WaitingForTermination: Waiting for 2 terminating pods')
      await cluster.settle()
      expect((await settingsOfSet())[0] ?? false).toBe(false)
      expect(await status()).toMatchObject({ availableReplicas: 5, terminatingReplicas: 0 })
    })

    it(`by ${name}: they are created at once where there is room`, async () => {
      await start()
      const strategy = { rollingUpdate: { maxSurge: 2 } }
      await cluster.patch('deployment', 'web', { ...off, spec: { ...off.spec, strategy } })
      await cluster.advance('1s')
      expect(await status()).toMatchObject({ replicas: 5, terminatingReplicas: 2 })
      await cluster.settle()
    })

    it(`by ${name}, and the policy with it: they are created at once`, async () => {
      await start()
      await cluster.patch('deployment', 'web', { ...off, spec: { ...off.spec, podReplacementPolicy: null } })
      await cluster.advance('1s')
      expect(await status()).toMatchObject({ replicas: 5, terminatingReplicas: 2 })
      await cluster.settle()
    })
  }
})
