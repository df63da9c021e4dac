// Workloads with as many replicas as the API lets a user write: each step of a controller is small, and the data directory
// can be opened again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const most = 2_147_483_647
const selector = { matchLabels: { app: 'x' } }
const podSpec = { containers: [{ name: 'c', image: 'i' }] }
const template = { metadata: { labels: { app: 'x' } }, spec: podSpec }
const jobTemplate = { spec: { ...podSpec, restartPolicy: 'Never' } }
const largest: readonly [group: string, resource: string, kind: string, name: string, spec: object][] = [
  ['apps/v1', 'statefulsets', 'StatefulSet', 'ordered', { replicas: most, selector, template, serviceName: 's' }],
  ['apps/v1', 'statefulsets', 'StatefulSet', 'parallel', { replicas: most, selector, template, podManagementPolicy: 'Parallel' }],
  ['apps/v1', 'replicasets', 'ReplicaSet', 'set', { replicas: most, selector, template }],
  ['apps/v1', 'deployments', 'Deployment', 'deployment', { replicas: most, selector, template }],
  ['batch/v1', 'jobs', 'Job', 'job', { completions: most, parallelism: most, template: jobTemplate }],
]

describe('the largest workloads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
  let cluster: RunningCluster
  beforeAll(async () => {
    cluster = await startCluster([], folder)
  }, 60_000)
  afterAll(async () => {
    await cluster?.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  /** The quota stops the controllers, and its usage shows that each of them has reached it. */
  const create = async ([apiVersion, resource, kind, name, spec]: (typeof largest)[number]) => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '3' } } }
    expect((await cluster.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })).code).toBe(201)
    expect((await cluster.ask('POST', `/api/v1/namespaces/${name}/resourcequotas`, quota)).code).toBe(201)
    const path = `/apis/${apiVersion}/namespaces/${name}/${resource}`
    expect((await cluster.ask('POST', path, { apiVersion, kind, metadata: { name }, spec })).code).toBe(201)
  }
  const podsOf = async (name: string) =>
    ((await cluster.ask('GET', `/api/v1/namespaces/${name}/pods`)).json as { items: readonly unknown[] }).items.length
  const untilPods = async (expected: Readonly<Record<string, number>>) => {
    for (const [name, count] of Object.entries(expected))
      while ((await podsOf(name)) !== count) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  it('are worked on step by step, before and after a restart', async () => {
    for (const one of largest) await create(one)
    // Without nodes no pod becomes ready: of an ordered StatefulSet there is one pod.
    const expected = { ordered: 1, parallel: 3, set: 3, deployment: 3, job: 3 }
    await untilPods(expected)
    await cluster.end('SIGKILL')
    cluster = await startCluster([], folder)
    await untilPods(expected)
    for (const [apiVersion, resource, , name] of largest) {
      const path = `/apis/${apiVersion}/namespaces/${name}/${resource}/${name}`
      expect((await cluster.ask('DELETE', path, { propagationPolicy: 'Background' })).code).toBe(200)
    }
    await untilPods({ ordered: 0, parallel: 0, set: 0, deployment: 0, job: 0 })
  }, 120_000)
})
