// Snapshots of clusters, as a user takes and restores them: rollcall save, rollcall up --from, and `from` of rollcall/testing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCluster } from '../../src/simulate/library/test-cluster.ts'
import { startServer } from '../../src/simulate/library/test-server.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

interface Found {
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly ownerReferences?: unknown
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly status?: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'rollcall-save-'))
const environment = { PATH: process.env['PATH'], HOME: folder }
const snapshot = join(folder, 'web.snapshot')
const running: RunningCluster[] = []

/** Not synchronous: connections to the clusters stay open meanwhile. */
async function rollcall(...flags: string[]) {
  const child = spawn(process.execPath, [command, ...flags], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}
async function start(...given: Parameters<typeof startCluster>): Promise<RunningCluster> {
  const cluster = await startCluster(...given)
  running.push(cluster)
  return cluster
}
const objectsAt = async (cluster: RunningCluster, path: string) => ((await cluster.ask('GET', path)).json as { items: Found[] }).items
const paths = [
  '/api/v1/pods',
  '/api/v1/nodes',
  '/api/v1/persistentvolumeclaims',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/batch/v1/cronjobs',
  '/apis/batch/v1/jobs',
  '/apis/example.com/v1/widgets',
]
const everything = async (cluster: RunningCluster) => (await Promise.all(paths.map((path) => objectsAt(cluster, path)))).flat()

const template = (name: string, image: string) => ({
  metadata: { labels: { app: name } },
  spec: {
    terminationGracePeriodSeconds: 60,
    containers: [{ name: 'main', image, lifecycle: { preStop: { sleep: { seconds: 50 } } } }],
  },
})
const spec = (name: string, replicas: number) => ({
  replicas,
  selector: { matchLabels: { app: name } },
  template: template(name, 'a:1'),
})

let original: RunningCluster
let before: Found[]

/** In paused time, so that nothing changes between the snapshot and the comparison. */
beforeAll(async () => {
  original = await start(['--memory', '--nodes', '3', '--paused', '--start-time', '2026-01-01T00:00:00Z', '--seed', '1'])
  const create = async (path: string, body: object) => expect(await original.ask('POST', path, body)).toMatchObject({ code: 201 })
  await create('/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec: spec('web', 4) })
  await create('/apis/apps/v1/namespaces/default/statefulsets', { metadata: { name: 'db' }, spec: { ...spec('db', 2), serviceName: 'db' } })
  await create('/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'tick' },
    spec: {
      schedule: '*/10 * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } } },
    },
  })
  await create('/api/v1/namespaces/default/secrets', { metadata: { name: 'token' }, stringData: { value: 'geheim' } })
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  })
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } }
  await create('/apis/example.com/v1/namespaces/default/widgets', widget)
  const step = async (duration: string) =>
    expect(await rollcall('step', duration, '--data-dir', original.folder)).toMatchObject({ code: 0 })
  await step('11m')
  const patch = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'a:2' }]
  const changed = await original.ask('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', patch, {
    'content-type': 'application/json-patch+json',
  })
  expect(changed.code).toBe(200)
  await step('10s')
  before = await everything(original)
  const saved = await rollcall('save', snapshot, '--data-dir', original.folder)
  expect(saved).toMatchObject({ code: 0, stdout: '' })
  expect(saved.stderr).toMatch(
    /^Wrote web\.snapshot: \d+ objects of https:\S+ at revision \d+, with the values of Secrets: keep it private\.\n$/,
  )
}, 120_000)

afterAll(async () => {
  for (const cluster of running) await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('rollcall save and rollcall up --from', { timeout: 120_000 }, () => {
  it('restores a cluster in the middle of a rollout, and it continues', async () => {
    expect(statSync(snapshot).mode & 0o077).toBe(0)
    expect(before.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length).toBeGreaterThan(0)
    for (const flags of [['--memory'], []]) {
      const dataDir = mkdtempSync(join(folder, 'copy-'))
      const copy = await start([...flags, '--paused', '--from', snapshot, '--nodes', '3'], dataDir)
      expect(copy.output()).toContain('2026-01-01T00:11:10Z; paused')
      // Names, uids, resourceVersions, owners, statuses: everything.
      expect(await everything(copy)).toEqual(before)
      expect(await rollcall('step', '1s', '--data-dir', dataDir)).toMatchObject({ code: 0 })
      expect((await everything(copy)).map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid))
      expect(await rollcall('step', '2m', '--data-dir', dataDir)).toMatchObject({ code: 0 })
      const pods = (await objectsAt(copy, '/api/v1/pods')).filter(({ metadata }) => metadata.labels?.['app'] === 'web')
      expect(pods).toHaveLength(4)
      expect(await objectsAt(copy, '/apis/batch/v1/jobs')).toHaveLength(1)
      const roots = await objectsAt(copy, '/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt')
      const authority = Buffer.from(
        /certificate-authority-data: (\S+)/.exec(readFileSync(copy.kubeconfig, 'utf8'))![1]!,
        'base64',
      ).toString()
      expect(new Set(roots.map((one) => (one as unknown as { data: object }).data))).toEqual(
        new Set(roots.map(() => ({ 'ca.crt': authority }))),
      )
      await copy.stop()
    }
  })

  it('simulates the nodes of the snapshot, also after the next start', async () => {
    const dataDir = join(folder, 'kept')
    const up = (...flags: string[]) =>
      rollcall('up', '--detach', '--port', '0', '--data-dir', dataDir, '--kubeconfig', join(folder, 'k'), ...flags)
    expect(await up('--from', snapshot)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ {2}nodes {7}3, simulated\n {2}time {8}2026-01-01T00:11:10Z; as fast/),
    })
    expect(await up('--from', snapshot)).toMatchObject({ code: 1, stderr: expect.stringContaining('is already running') })
    expect(await rollcall('down', '--data-dir', dataDir)).toMatchObject({ code: 0 })
    expect(await up('--from', snapshot)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Cannot start from ${snapshot}: the cluster in kept has objects. Choose another with --data-dir or --name, or delete them with rollcall down --data-dir ${dataDir} --delete-data.\n`,
    })
    // A stopped cluster is read from its files.
    const saved = await rollcall('save', '--data-dir', dataDir, '--secrets', 'redact', join(folder, 'stopped.snapshot.gz'))
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining('objects of the stopped cluster in kept at revision') })
    expect(await up()).toMatchObject({ code: 0, stdout: expect.stringContaining('  nodes       3, simulated\n') })
    expect(await rollcall('down', '--data-dir', dataDir)).toMatchObject({ code: 0 })
  })

  it('leaves the values of Secrets out where asked', async () => {
    const text = async (...flags: string[]) => (await rollcall('save', '-', '--data-dir', original.folder, ...flags)).stdout
    expect(await text()).toContain(Buffer.from('geheim').toString('base64'))
    expect(await text('--secrets', 'redact')).not.toContain(Buffer.from('geheim').toString('base64'))
  })

  it('reads any cluster over its API, as far as the user may', async () => {
    const { stdout } = await rollcall('kubeconfig', '--user', 'alice', '--data-dir', original.folder)
    writeFileSync(join(folder, 'alice'), stdout)
    const bind = (name: string, kind: string) =>
      original.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: `${name}-${kind}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: kind },
        subjects: [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }],
      })
    expect(await bind('alice', 'view')).toMatchObject({ code: 201 })
    const other = join(folder, 'other.snapshot.gz')
    const saved = await rollcall('save', '--kubeconfig', join(folder, 'alice'), other)
    expect(saved).toMatchObject({ code: 0, stdout: '' })
    expect(saved.stderr).toContain('Left out: secrets (you may not list them)\n')
    expect(saved.stderr).toContain('Left out: leases.coordination.k8s.io (their holders do not run in a restored cluster)\n')
    expect(saved.stderr).toContain(', without the values of Secrets.\n')
    const copy = await start(['--memory', '--paused', '--from', other], mkdtempSync(join(folder, 'other-')))
    const pods = await objectsAt(copy, '/api/v1/pods')
    expect(pods).toEqual(before.filter(({ metadata }) => pods.some((pod) => pod.metadata.uid === metadata.uid)))
    expect(pods.length).toBeGreaterThan(5)
    await copy.stop()
  })

  it('says what is wrong', async () => {
    const bad = join(folder, 'bad.snapshot')
    writeFileSync(bad, readFileSync(snapshot, 'utf8').slice(0, 5000))
    expect(await rollcall('up', '--name', 'bad', '--from', bad)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: Cannot read \S+bad\.snapshot as a snapshot: line \d+ is not a JSON object: the file is damaged\.\n$/,
      ),
    })
    expect(existsSync(join(folder, '.local'))).toBe(false)
    expect(await rollcall('save', 'x.snapshot')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: There is no cluster in .rollcall. Start one with rollcall up, or name any cluster with --context.\n',
    })
    expect(await rollcall('step', '1m')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: There is no cluster in .rollcall. Start one with rollcall up, or name its kubeconfig with --kubeconfig.\n',
    })
    writeFileSync(join(folder, 'mine.yaml'), 'kind: Pod\n')
    expect(await rollcall('save', 'mine.yaml', '--data-dir', original.folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Rollcall did not write the existing file'),
    })
  })
})

describe('rollcall/testing with a snapshot', { timeout: 120_000 }, () => {
  it('continues from it in virtual time', async () => {
    const cluster = await createCluster({ from: snapshot })
    expect(new Date(cluster.now()).toISOString()).toBe('2026-01-01T00:11:10.000Z')
    const uids = async () => (await cluster.list('pod')).map(({ metadata }) => metadata.uid).sort()
    const saved = before.filter(({ status }) => (status as { podIP?: string })?.podIP !== undefined).map(({ metadata }) => metadata.uid)
    expect(await uids()).toEqual(saved.sort())
    await cluster.settle()
    expect((await cluster.get('deployment', 'web'))?.status).toMatchObject({ readyReplicas: 4, updatedReplicas: 4 })
    expect(await cluster.list('pod', { labelSelector: 'app=web' })).toHaveLength(4)
    expect(cluster.breaches).toEqual([])
    await cluster.stop()
    await expect(createCluster({ from: snapshot, startTime: '2025-01-01T00:00:00Z' })).rejects.toThrow('and time does not go back')
  })

  it('starts a server from it', async () => {
    await using server = await startServer({ from: snapshot, time: 'virtual' })
    expect(await server.list('node')).toHaveLength(3)
    await server.advance('2m')
    expect((await server.get('deployment', 'web'))?.status).toMatchObject({ readyReplicas: 4 })
  })
})
