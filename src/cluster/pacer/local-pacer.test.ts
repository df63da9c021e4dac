// `rollcall up --pacer`: the pacer at work in a cluster of this process, at speed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, namespaces, pods } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Deployment } from '../../api/types.ts'
import { realClock } from '../../base/clock.ts'
import { createHttpClient, type HttpClient } from '../../client/http-client.ts'
import { readKubeconfig } from '../../client/kubeconfig.ts'
import { type LocalCluster, startLocalCluster } from '../local-cluster.ts'
import { isGated } from './in-process-pacer.ts'
import { readWaitingWorkloads } from './pacer-status.ts'

const web: Deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/hang': 'true' } },
      spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
    },
  },
}

describe('startLocalCluster() with the pacer', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-paced-'))
  const kubeconfig = join(folder, 'kubeconfig')
  let cluster: LocalCluster
  let client: HttpClient

  beforeAll(async () => {
    cluster = await startLocalCluster({
      ...{ dataDir: folder, kubeconfig, inMemory: true, host: '127.0.0.1', port: 0, gates: defaultFeatureGates, version: '0.0.0' },
      nodes: [{ name: 'node-1' }],
      hasPacer: true,
      time: { speed: 20 },
      log: () => {},
    })
    client = createHttpClient({ connection: await readKubeconfig({ paths: [kubeconfig], clock: realClock }), name: 'test' })
  })
  afterAll(async () => {
    client.close()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['labelled', { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }, 2],
    ['plain', {}, 0],
  ])('namespace %s', async (namespace, labels, waiting) => {
    const until = async (isDone: () => Promise<boolean>) => {
      while (!(await isDone())) await new Promise<void>((resolve) => void realClock.after(20, resolve))
    }
    const list = async () => (await client.list(pods, { namespace })).items
    await client.create(namespaces, undefined, { metadata: { name: namespace, labels } })
    await client.create(deployments, namespace, web)
    await until(async () => (await client.get(deployments, { namespace, name: 'web' })).status?.availableReplicas === 4)
    await client.patch(deployments, { namespace, name: 'web' }, 'strategic', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2' }] } } },
    })
    // Its pods never terminate: the new ones wait for them, or not.
    await until(async () => (await list()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length >= 2)
    await until(async () => (await list()).length >= 6)
    expect((await list()).filter(isGated)).toHaveLength(waiting)
    expect((await readWaitingWorkloads(client, namespace, realClock.now())).map((one) => one.waiting.length)).toEqual(
      waiting > 0 ? [waiting] : [],
    )
  })
})
