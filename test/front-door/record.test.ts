// Recording a real rollout through the API, and replaying it: the numbers are compared with a plain watch that counts by itself.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulationResult } from '../../src/simulate/rollout/result.ts'
import type { Trace } from '../../src/simulate/rollout/trace.ts'
import { command, kubectlFor, kubectlMinor, type RunningCluster, root, startCluster } from './running-cluster.ts'

interface WatchedPod {
  readonly type: string
  readonly object: {
    readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string }
    readonly status?: { readonly phase?: string }
  }
}

/** Counts pods from the lines of a watch, without code of the project. */
function countPods(cluster: RunningCluster, query: string) {
  const ca = readFileSync(join(cluster.folder, 'credentials/ca.crt'), 'utf8')
  const there = new Set<string>()
  const terminating = new Set<string>()
  const seen = new Set<string>()
  const peaks = { pods: 0, terminating: 0 }
  let rest = ''
  const outgoing = request(`${cluster.url}/api/v1/namespaces/default/pods?watch=1&${query}`, {
    ca,
    headers: { authorization: `Bearer ${cluster.token}` },
  })
  const opened = new Promise<void>((resolve) =>
    outgoing.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines) {
          const { type, object } = JSON.parse(line) as WatchedPod
          const { uid, deletionTimestamp } = object.metadata
          seen.add(uid)
          const isGone = type === 'DELETED' || object.status?.phase === 'Succeeded' || object.status?.phase === 'Failed'
          if (isGone) there.delete(uid)
          else there.add(uid)
          if (!isGone && deletionTimestamp !== undefined) terminating.add(uid)
          else terminating.delete(uid)
          peaks.pods = Math.max(peaks.pods, there.size)
          peaks.terminating = Math.max(peaks.terminating, terminating.size)
        }
      })
      response.on('error', () => {})
      resolve()
    }),
  )
  outgoing.on('error', () => {})
  outgoing.end()
  return { opened, peaks, seen, there, stop: () => outgoing.destroy() }
}

const folder = mkdtempSync(join(tmpdir(), 'rollcall-record-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rollcall = (args: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args.split(' ')], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Resolves when the recording has started. */
async function startRecording(
  cluster: RunningCluster,
  args: string,
): Promise<{ readonly process: ChildProcess; ended(): Promise<number> }> {
  const child = spawn(process.execPath, [command, 'record', '--kubeconfig', cluster.kubeconfig, ...args.split(' ')], { cwd: folder })
  let output = ''
  const closed = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ctrl-C ends it')) resolve()
    })
    child.on('close', (code) => reject(new Error(`rollcall record ended with ${code}: ${output}`)))
  })
  return {
    process: child,
    async ended() {
      await closed
      if (child.exitCode !== 0) throw new Error(`rollcall record ended with ${child.exitCode}: ${output}`)
      return child.exitCode
    },
  }
}

const readTrace = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Trace

describe.skipIf(kubectlMinor() === undefined)('rollcall record', () => {
  let cluster: RunningCluster
  let ok: (args: string) => Promise<string>

  beforeAll(async () => {
    cluster = await startCluster(['--memory', '--nodes', '3'])
    const kubectl = kubectlFor(cluster)
    ok = async (args) => {
      const { code, stdout, stderr } = await kubectl(args)
      if (code !== 0) throw new Error(`kubectl ${args}: ${code}\n${stdout}${stderr}`)
      return stdout
    }
    await ok('create deployment web --image=nginx:1 --replicas=6')
    await ok('create deployment other --image=nginx:1 --replicas=2')
    await ok('rollout status deployment/web --timeout=60s')
    await ok('rollout status deployment/other --timeout=60s')
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('records a rollout until it is complete, and replays what a plain watch counts', async () => {
    const counted = countPods(cluster, 'labelSelector=app%3Dweb')
    await counted.opened
    const recording = await startRecording(cluster, 'deployment/web --until-complete --trace web.json')
    await ok('set image deployment/web nginx=nginx:2')
    await ok('set image deployment/other nginx=nginx:2')
    await recording.ended()
    await expect.poll(() => counted.there.size).toBe(6)
    counted.stop()

    const trace = readTrace('web.json')
    expect(trace).toMatchObject({ format: 'rollcall.trace/1', source: 'cluster', title: 'Deployment default/web', policy: 'None' })
    const uids = new Set(trace.changes.flatMap((change) => ('pod' in change ? [change.pod.uid] : [])))
    expect(uids).toEqual(counted.seen)
    expect(trace.changes.filter((change) => 'step' in change)).toMatchObject([{ step: 'Deployment/web: nginx=nginx:2' }])

    const { status, stdout } = rollcall('replay web.json -o json')
    expect(status).toBe(0)
    const [outcome] = (JSON.parse(stdout) as SimulationResult).outcomes
    expect(outcome!.measures.peakPods).toBe(counted.peaks.pods)
    expect(outcome!.measures.cap).toBe(8)
    expect(outcome!.measures.peakOverCap).toBe(Math.max(0, counted.peaks.pods - 8))
    expect(outcome!.measures.peakNodes).toBe(3)
    expect(outcome!.measures.completeAfterMs).toBeGreaterThan(0)
    const { layers } = outcome!.series
    expect(layers.map(({ revision }) => revision)).toEqual(expect.arrayContaining([1, 2]))
    const last = layers.reduce((sum, { values }) => sum + values.at(-1)!, 0)
    expect([last, counted.there.size]).toEqual([6, 6])
    expect(rollcall('replay web.json').stdout).toContain('peak pods')
  }, 90_000)

  it('ends with Ctrl-C, and has the file whole', async () => {
    const recording = await startRecording(cluster, '-o all.json')
    await ok('scale deployment/web --replicas=3')
    await ok('rollout status deployment/web --timeout=60s')
    recording.process.kill('SIGINT')
    expect(await recording.ended()).toBe(0)
    const trace = readTrace('all.json')
    expect(trace.title).toBe('2 workloads in namespace default')
    expect(trace.changes.filter((change) => 'step' in change)).toMatchObject([{ step: 'Deployment/web: replicas=3' }])
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  }, 60_000)

  it('suggests the name of a misspelt workload, and writes nothing of one that is not created', () => {
    const { status, stderr } = rollcall(`record --kubeconfig ${cluster.kubeconfig} deployment/wep --for 1s --trace wep.json`)
    expect(stderr).toContain('Deployment/wep does not exist. Did you mean web? It is recorded if it is created within 1s.\n')
    expect(stderr).toContain('error: There is nothing to write: Deployment/wep was not created.\n')
    expect([status, existsSync(join(folder, 'wep.json'))]).toEqual([1, false])
  }, 60_000)

  it('fails where there is nothing to learn from', () => {
    const { status, stderr } = rollcall(`record --kubeconfig ${cluster.kubeconfig} deployment/wep --learn wep.yaml`)
    expect(stderr).toBe('error: there is nothing to learn from: no pod of these workloads became ready or terminated.\n')
    expect([status, existsSync(join(folder, 'wep.yaml'))]).toEqual([1, false])
  }, 60_000)

  it('records workloads by label for a given time', async () => {
    const recording = await startRecording(cluster, '--for 1s -l app=other --trace quiet.json')
    await recording.ended()
    expect(readTrace('quiet.json').title).toBe('Deployment default/other')
    expect(readTrace('quiet.json').endMs).toBeGreaterThanOrEqual(1000)
  }, 60_000)

  it('compares two recordings in one report', () => {
    const { status, stdout, stderr } = rollcall('replay web.json all.json --report both.html')
    expect([status, stderr]).toEqual([0, 'Wrote both.html: the report, for a browser.\n'])
    expect(stdout).toMatch(/web\.json +all\.json/)
    expect(readFileSync(join(folder, 'both.html'), 'utf8')).toContain('2 runs compared')
  })
})

describe.skipIf(kubectlMinor() === undefined)('rollcall record, while the server is away', () => {
  it('continues when the server is back', async () => {
    const first = await startCluster(['--nodes', '2'])
    const kubectl = kubectlFor(first)
    await kubectl('create deployment web --image=nginx:1 --replicas=2')
    expect((await kubectl('rollout status deployment/web --timeout=60s')).code).toBe(0)
    const recording = await startRecording(first, 'deployment/web --until-complete --trace away.json')
    await first.end('SIGKILL')
    const second = await startCluster(['--nodes', '2', '--port', new URL(first.url).port], first.folder)
    try {
      // The recorder reconnects at increasing intervals. If a scale is complete before it has reconnected, another one follows.
      for (let replicas = 4; recording.process.exitCode === null; replicas = 9 - replicas) {
        await kubectl(`scale deployment/web --replicas=${replicas}`)
        expect((await kubectl('rollout status deployment/web --timeout=60s')).code).toBe(0)
        // Otherwise the next scale would begin before the last pod has terminated.
        await Promise.race([recording.ended(), pause(3_000)])
      }
      expect(await recording.ended()).toBe(0)
      const pods = new Set(readTrace('away.json').changes.flatMap((change) => ('pod' in change ? [change.pod.uid] : [])))
      expect(pods.size).toBeGreaterThanOrEqual(4)
    } finally {
      await second.stop()
    }
  }, 120_000)
})

describe('rollcall replay of a simulation', () => {
  it('has the same numbers and lines as the simulation', () => {
    const flags = '--to image=example/web:2 --startup 20s±5s --stop 40s±8s --policies TerminationComplete --seed 7'
    const manifest = join(root, 'examples/simulate/web.yaml')
    expect(rollcall(`simulate -f ${manifest} ${flags} --trace simulated.json --json result.json`).status).toBe(0)
    const simulated = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as SimulationResult
    const replayed = JSON.parse(rollcall('replay simulated.json -o json').stdout) as SimulationResult
    const [{ policy, measures, series, marks, kinds }] = simulated.outcomes as [SimulationResult['outcomes'][number]]
    expect(replayed.outcomes).toEqual([{ policy, measures, series, marks, kinds, failures: [], label: 'simulated.json' }])
    expect(policy).toBe('TerminationComplete')
    // The result itself can be shown again as well.
    expect((JSON.parse(rollcall('replay result.json -o json').stdout) as SimulationResult).outcomes).toEqual(simulated.outcomes)
  }, 60_000)
})

describe('rollcall record and replay, with bad input', () => {
  const rows: readonly [string, string, RegExp][] = [
    ['no such file', 'replay none.json', /^error: Cannot read none\.json: there is no such file\.\n$/],
    ['a directory', 'replay .', /^error: Cannot read \.: it is a directory\.\n$/],
    ['no JSON', 'replay text.json', /^error: Cannot show text\.json: it is not JSON \(.*\)\.\n$/],
    ['an empty file', 'replay empty.json', /^error: Cannot show empty\.json: it is empty\.\n$/],
    ['a foreign file', 'replay foreign.json', /^error: Cannot show foreign\.json as a trace: it has no "format" of Rollcall\.\n$/],
    ['a speed of nothing', 'replay foreign.json --speed 0', /error: option '--speed <n>' argument '0' is invalid/],
    ['no workload', 'record web --trace x.json', /^error: "web" is not a workload\. Write kind\/name, such as deployment\/web\.\n$/],
    [
      'a kind that has no pods',
      'record service/web --trace x.json',
      /^error: "service\/web" is not a workload\. The kinds of workloads are Deployment, /,
    ],
    ['no kubeconfig', 'record --kubeconfig none --trace x.json', /^error: Cannot read kubeconfig "none": .*\n$/],
    ['no directory', 'record --trace none/x.json', /^error: Cannot write none\/x\.json: its directory does not exist/],
    [
      'a file that it has not written',
      'record --trace text.json',
      /^error: Cannot write text\.json: Rollcall did not write the existing file\. /,
    ],
    ['a comparison of one run', 'replay trace.json --compare --report x.json', /^error: --compare needs two runs\. /],
    ['one file twice', 'record --trace x.json --learn ./x.json', /^error: --trace and --learn both write to \.\/x\.json\. /],
    ['a length of nothing', 'record --for 5 --trace x.json', /Write a duration such as 250ms, 90s, 1h30m or 2d/],
    ['no output', 'record', /there is nothing to write\. Give --trace file for a trace, or --learn file/],
  ]
  beforeAll(() => {
    writeFileSync(join(folder, 'text.json'), 'kind: Deployment\n')
    writeFileSync(join(folder, 'empty.json'), '')
    rollcall(`simulate -f ${join(root, 'examples/simulate/web.yaml')} --policies None --trace trace.json`)
    writeFileSync(join(folder, 'foreign.json'), '{"kind":"Pod"}')
  })
  for (const [name, args, words] of rows)
    it(`reports the problem in one line: ${name}`, () => {
      const { status, stderr } = rollcall(args)
      expect(stderr).toMatch(words)
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(status).toBe(2)
      expect(existsSync(join(folder, 'x.json'))).toBe(false)
    })

  it('reports that a server does not respond', () => {
    const config = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
    }
    writeFileSync(join(folder, 'away'), JSON.stringify(config))
    const { status, stderr } = rollcall('record --kubeconfig away --trace x.json')
    expect(stderr).toMatch(/^error: Cannot read from https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/)
    expect(status).toBe(1)
  })
})
