// `rollcall simulate --from-cluster` against a cluster in this process, over HTTPS and through its kubeconfig.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deployments, namespaces, resourceQuotas } from '../api/kinds.ts'
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import type { Deployment } from '../api/types.ts'
import { realClock } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { type LocalCluster, startLocalCluster } from '../cluster/local-cluster.ts'
import type { SimulationResult } from '../simulate/rollout/result.ts'
import { readLiveObjects } from './live-objects.ts'
import { runSimulate } from './run-simulate.ts'
import type { SimulateCommandOptions } from './simulate.ts'

const labels = { app: 'web' }
const web: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations: { team: 'shop' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } },
  },
}

const folder = mkdtempSync(join(tmpdir(), 'rollcall-live-'))
const kubeconfig = join(folder, 'kubeconfig')
let cluster: LocalCluster

beforeAll(async () => {
  cluster = await startLocalCluster({
    dataDir: folder,
    kubeconfig,
    inMemory: true,
    host: '127.0.0.1',
    port: 0,
    gates: defaultFeatureGates,
    nodes: [],
    version: '0.0.0',
    log: () => {},
  })
  const client = createHttpClient({ connection: await readKubeconfig({ paths: [kubeconfig], clock: realClock }), name: 'test' })
  await client.create(deployments, 'default', web)
  client.close()
})

afterAll(async () => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(names: readonly string[], options: SimulateCommandOptions) {
  const printed = { stdout: '', stderr: '' }
  const catching = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text)
      return true
    })
  const spies = [catching('stdout'), catching('stderr')]
  try {
    const code = await runSimulate(names, { fromCluster: true, kubeconfig, workers: 0, ...options })
    return { code, ...printed }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('runSimulate() with --from-cluster', { timeout: 30_000 }, () => {
  it('plays the Deployment of the cluster, and leaves it as it is', async () => {
    const { code, stdout, stderr } = await run(['deployment/web'], { to: ['image=example/web:2'], policies: 'None', output: 'json' })
    expect([code, stderr]).toEqual([0, ''])
    const { title, outcomes } = JSON.parse(stdout) as SimulationResult
    expect(title).toBe('Deployment default/web')
    expect(outcomes[0]?.measures).toMatchObject({ cap: 4, completeAfterMs: expect.any(Number) })
    const client = createHttpClient({ connection: await readKubeconfig({ paths: [kubeconfig], clock: realClock }), name: 'test' })
    const { spec, metadata } = await client.get(deployments, { namespace: 'default', name: 'web' })
    client.close()
    expect(spec?.template?.spec?.containers[0]?.image).toBe('example/web:1')
    expect(metadata.generation).toBe(1)
  })

  it('takes only what others use from a quota, also with several workloads', async () => {
    const client = createHttpClient({ connection: await readKubeconfig({ paths: [kubeconfig], clock: realClock }), name: 'test' })
    await client.create(namespaces, undefined, { metadata: { name: 'team' } })
    await client.create(resourceQuotas, 'team', { metadata: { name: 'limit' }, spec: { hard: { pods: '10' } } })
    for (const name of ['web', 'api', 'other']) await client.create(deployments, 'team', { ...web, metadata: { name } })
    await expect
      .poll(async () => (await client.get(resourceQuotas, { namespace: 'team', name: 'limit' })).status?.used, { timeout: 20_000 })
      .toEqual({ pods: '9' })
    client.close()
    const { sources } = await readLiveObjects(['deployment/web', 'deployment/api'], { kubeconfig, namespace: 'team' })
    const quota = sources.find(({ name }) => name === 'resourcequota/limit')
    expect(quota!.objects[0]).toMatchObject({ spec: { hard: { pods: '7' } } })
  })

  it('ranks all Deployments of a namespace, and reads those of all namespaces', async () => {
    const { code, stdout } = await run(['deployments'], { namespace: 'team', to: ['restart'], policies: 'None' })
    expect(code).toBe(0)
    expect(stdout).toContain('Deployment team/api and 2 more')
    expect(stdout).toMatch(/ cap +no policy +no policy\nDeployment team\/(api|other|web) +4 +\d+ +[\d.]+s\n/)
    const { sources } = await readLiveObjects(['deploy'], { kubeconfig, allNamespaces: true })
    const names = sources.flatMap(({ objects }) => objects as readonly Deployment[]).filter(({ kind }) => kind === 'Deployment')
    expect(names.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).toEqual([
      'default/web',
      'team/api',
      'team/other',
      'team/web',
    ])
  })

  it('ranks the rollouts of all workloads where none is named', async () => {
    const { code, stdout, stderr } = await run([], { allNamespaces: true, output: 'wide' })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d workloads?, each restarted on its own, /)
    expect(stdout).toMatch(/^deployment\/default\/web +4 +[45678] /m)
    expect(stdout).toContain('simulate --from-cluster deployment/')
    const refused = await run([], { to: ['restart'] })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^error: --to is for workloads that are named\. Name them/)])
    const price = await run([], { price: ['much'] })
    expect([price.code, price.stderr]).toEqual([2, expect.stringContaining('Write it as in --price 0.19/h')])
  })

  it.each([
    ['no such object', ['deployment/api'], {}, /^Cannot read deployment\/api in namespace default: .*"api" not found\.$/],
    ['another namespace', ['deployment/web'], { namespace: 'shop' }, /^Cannot read deployment\/web in namespace shop: /],
    [
      'no such kind',
      ['deploymnt/web'],
      {},
      /^There is no kind "deploymnt"\. Write kind and name, such as deployment\/web, or a kind, such as deployments\.$/,
    ],
    ['no name', ['deployment/'], {}, /^Cannot read "deployment\/" from the cluster\. Write kind and name, such as deployment\/web\.$/],
    ['no kind', ['web'], {}, /^There is no kind "web"\. Write kind and name, /],
    ['none of the kind', ['statefulsets'], {}, /^There are no statefulsets in namespace default\. Choose another with --namespace\.$/],
    ['none of the kind in all namespaces', ['statefulsets'], { allNamespaces: true }, /^There are no statefulsets\.$/],
    ['a name in all namespaces', ['deployment/web'], { allNamespaces: true }, /^--all-namespaces reads all objects of a kind\. /],
    ['no kubeconfig', ['deployment/web'], { kubeconfig: join(folder, 'nosuch') }, /nosuch/],
    ['no such context', ['deployment/web'], { context: 'nosuch' }, /nosuch/],
    ['no cluster', ['deployment/web'], { kubeconfig: join(folder, 'silent') }, /^Cannot read from https:\/\/127\.0\.0\.1:1: /],
  ])('%s: one line, and exit code 2', async (_, names, options, line) => {
    writeFileSync(join(folder, 'silent'), silentKubeconfig())
    const { code, stdout, stderr } = await run(names, { to: ['image=example/web:2'], ...options })
    expect(stderr.split('\n')).toHaveLength(2)
    expect(stderr.trimEnd().replace(/^error: /, '')).toMatch(line)
    expect([code, stdout]).toEqual([2, ''])
  })
})

/** The address of a port on which no server listens. */
const silentKubeconfig = () =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'silent', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'silent', user: { token: 'none' } }],
    contexts: [{ name: 'silent', context: { cluster: 'silent', user: 'silent' } }],
    'current-context': 'silent',
  })
