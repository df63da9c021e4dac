import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCluster } from 'rollcall/testing'

test('a Deployment becomes ready', async () => {
  const cluster = await createCluster()
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'hello' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'hello' } },
      template: { metadata: { labels: { app: 'hello' } }, spec: { containers: [{ name: 'hello', image: 'nginx' }] } },
    },
  })
  await cluster.until(async () => (await cluster.get('deployment', 'hello'))?.status?.readyReplicas === 2)
  assert.equal((await cluster.list('pod')).length, 2)
  await cluster.stop()
})
