// Clusters with their own time, and with nodes and stages from files.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { outputOf } from './ended-process.ts'
import { command, kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const clusters: RunningCluster[] = []
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()))
})

async function open(flags: readonly string[], folder?: string) {
  const cluster = await startCluster(flags, folder)
  clusters.push(cluster)
  const kubectl = kubectlFor(cluster)
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))
  const rollcall = (...args: readonly string[]) => run([...args, '--data-dir', cluster.folder])
  return { cluster, ok, rollcall, clock: async () => JSON.parse(await ok('get --raw /rollcall/v1/clock')) as { now: string; wall: string } }
}

function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args])
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

const deployment = (name: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 3
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: c, image: nginx, readinessProbe: { initialDelaySeconds: 30, exec: { command: ['true'] } } }] }
`

describe.skipIf(kubectlMinor() === undefined)('the time of a cluster', { timeout: 120_000 }, () => {
  it('stands still, passes in steps, and is the same again', async () => {
    const live = async () => {
      const { ok, rollcall } = await open(['--memory', '--nodes', '2', '--paused', '--seed', '7', '--start-time', '2026-01-01T00:00:00Z'])
      await ok('apply -f -', `${deployment('a')}---${deployment('b')}`)
      expect(await ok('get pods --no-headers')).toMatch(/0\/1\s+ContainerCreating\s+0\s+0s/)
      const until = await rollcall('step', '1h', '--until', 'deployment/b available')
      expect(until).toMatchObject({ code: 0, output: expect.stringMatching(/^3\d\.?\d*s passed, .* pods: 6 started\n$/) })
      expect(await rollcall('step', '10m')).toMatchObject({ code: 0, output: expect.stringMatching(/^10m passed, now 2026-01-01T00:10:/) })
      expect(await ok('get pods --no-headers')).toMatch(/1\/1\s+Running\s+0\s+10m/)
      return ok('get deployments,replicasets,pods,events -o yaml')
    }
    const [one, other] = await Promise.all([live(), live()])
    expect(one).toBe(other)
  }, 120_000)

  it('runs faster than the wall clock, and can be stopped and let go', async () => {
    const { ok, rollcall, clock } = await open(['--memory', '--nodes', '1', '--speed', '1000'])
    await ok('create job one --image=busybox -- sleep 600')
    expect(await ok('wait --for=condition=Complete job/one --timeout=60s')).toContain('condition met')
    expect((await rollcall('step', '1m')).output).toContain('cannot step: time is running')
    expect(await rollcall('pause')).toMatchObject({ code: 0, output: expect.stringContaining('Time is paused at ') })
    const { now, wall } = await clock()
    expect(Date.parse(now) - Date.parse(wall)).toBeGreaterThan(500_000)
    expect((await clock()).now).toBe(now)
    expect(await rollcall('step', '--until-idle')).toMatchObject({ code: 0 })
    expect(await rollcall('resume', '--speed', '2')).toMatchObject({ code: 0, output: expect.stringContaining('2 times as fast') })
  }, 120_000)

  it('lets pods take longer to stop than kubectl takes to delete them', async () => {
    const { ok, rollcall } = await open(['--memory', '--nodes', '1', '--paused', '--seed', '7'])
    await ok('run web --image=nginx')
    await rollcall('step', '1m')
    await ok('delete pod web --wait=false')
    await rollcall('step', '450ms')
    expect(await ok("get pod web -o jsonpath='{.status.containerStatuses[0].state.running.startedAt}'")).not.toBe('')
    await rollcall('step', '1s')
    expect(await ok('get pod --no-headers')).toBe('')
  })

  it('continues where it stopped, also after a kill', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
    const first = await open(['--paused'], folder)
    await first.rollcall('step', '2d')
    const { now } = await first.clock()
    await first.cluster.end('SIGKILL')
    clusters.length = 0
    const second = await open([], folder)
    expect(Date.parse((await second.clock()).now)).toBeGreaterThan(Date.parse(now))
    expect(second.cluster.output()).toContain('as fast as the wall clock')
  }, 120_000)

  it('is the wall clock by default', async () => {
    const { rollcall } = await open(['--memory'])
    expect(await rollcall('step', '1m')).toEqual({
      code: 1,
      output: 'error: the cluster uses the wall clock. Start it with rollcall up --paused or --speed.\n',
    })
  }, 120_000)
})

describe.skipIf(kubectlMinor() === undefined)('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-files-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('describe the nodes and the lifecycle of pods', async () => {
    const nodes = file(
      'nodes.yaml',
      '- { name: big, count: 2, cpu: 64, zones: [z1], labels: { disk: ssd } }\n- { name: more, autoscale: { min: 0, max: 1 } }\n',
    )
    const stages = file(
      'stages.yaml',
      `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-run }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector: { matchExpressions: [{ key: .status.podIP, operator: DoesNotExist }] }
  delay: { durationMilliseconds: 60000 }
  next:
    statusTemplate: |
      phase: Running
      podIP: {{ PodIP | Quote }}
      conditions:
      - { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }
`,
    )
    const { ok, rollcall } = await open(['--memory', '--paused', '--node-file', nodes, '--stages', stages])
    expect(await ok("get nodes -l disk=ssd -o jsonpath='{range .items[*]}{.metadata.name} {.status.capacity.cpu} {end}'")).toBe(
      'big-1 64 big-2 64 ',
    )
    await ok('run x --image=nginx')
    await rollcall('step', '59s')
    expect(await ok('get pod x -o jsonpath={.status.phase}')).toBe('Pending')
    await rollcall('step', '2s')
    expect(await ok('get pod x -o jsonpath={.status.phase}')).toBe('Running')
    expect(await run(['up', '--node-file', file('bad.yaml', '- name: a\n  cpus: 1\n')])).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^error: \S+bad\.yaml:2: unknown field "cpus"; .*\n$/),
    })
  }, 120_000)
})
