import 'rollcall/testing/vitest'
import { createCluster, type Deployment } from 'rollcall/testing'
import { describe, expect, it } from 'vitest'

const web = (image: string, policy?: 'TerminationComplete'): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 6,
    ...(policy && { podReplacementPolicy: policy }),
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/start-delay': '2s', 'rollcall.dev/stop-delay': '20s' } },
      spec: { containers: [{ name: 'web', image }] },
    },
  },
})

describe('a rollout of web', () => {
  it('keeps its cap under TerminationComplete', async () => {
    await using cluster = await createCluster()
    await cluster.apply(web('example/web:1', 'TerminationComplete'))
    await expect(cluster).toBecomeAvailable('deployment/web')
    await cluster.apply(web('example/web:2', 'TerminationComplete'))
    await cluster.settle()
    expect(cluster).toKeepCap('deployment/web')
    expect(cluster.timeline('deployment/web').at(-1)).toContain('6 ready')
  })

  it('exceeds it without a policy', async () => {
    await using cluster = await createCluster()
    await cluster.apply(web('example/web:1'))
    await expect(cluster).toBecomeAvailable('deployment/web')
    await cluster.apply(web('example/web:2'))
    await cluster.settle()
    expect(cluster).not.toKeepCap('deployment/web')
    expect(cluster.peakOverCap('deployment/web')).toMatchObject({ cap: 8, pods: 12 })
  })
})
