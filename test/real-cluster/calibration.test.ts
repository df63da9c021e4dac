// Learns the times of pods from a rollout of a real control plane, simulates it with them, and compares the two in numbers.
// ROLLCALL_CALIBRATION=1 plays three workloads, and compares with another rollout than the one that was learned from.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Difference } from '../../src/simulate/record/compared-measures.ts'
import { command } from '../front-door/running-cluster.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run } from './running-command.ts'

const isLong = process.env['ROLLCALL_CALIBRATION'] !== undefined

interface Played {
  readonly name: string
  readonly replicas: number
  readonly strategy: object
  /** As the nodes play it; the simulation does not know it. */
  readonly ready: string
  readonly stop: string
}
const all: readonly Played[] = [
  { name: 'quick', replicas: 6, strategy: { maxSurge: 2, maxUnavailable: 1 }, ready: '1s±200ms', stop: '2s±300ms' },
  { name: 'slow-stop', replicas: 10, strategy: { maxSurge: '30%', maxUnavailable: 0 }, ready: '4s±1s', stop: '12s±3s' },
  { name: 'no-surge', replicas: 12, strategy: { maxSurge: 0, maxUnavailable: 3 }, ready: '3s±500ms', stop: '5s±1s' },
]
const played = isLong ? all : all.slice(0, 1)

const manifest = ({ name, replicas, strategy }: Played, annotations: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    strategy: { rollingUpdate: strategy },
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations },
      spec: { containers: [{ name: 'web', image: 'example/web:1', resources: { requests: { cpu: '100m' } } }] },
    },
  },
})

describe.skipIf(missing)('a simulation with learned times', { timeout: 300_000 }, () => {
  let plane: RealControlPlane
  let nodes: RunningCommand

  beforeAll(async () => {
    plane = await startRealControlPlane()
    await Promise.all([plane.startControllerManager(), plane.startScheduler()])
    nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '4'])
  }, 120_000)
  afterAll(async () => {
    await nodes?.end('SIGTERM')
    await plane?.stop()
  })

  const tool = (program: string, args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: plane.folder,
      encoding: 'utf8',
      input,
      env: { ...process.env, KUBECONFIG: plane.kubeconfig, KUBECACHEDIR: join(plane.folder, 'cache') },
    })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const rollcall = (...args: readonly string[]) => tool(process.execPath, [command, ...args])

  /** Records a rollout to that image. */
  async function record(name: string, image: string, ...flags: readonly string[]) {
    const child = spawn(
      process.execPath,
      [command, 'record', `deployment/${name}`, '--kubeconfig', plane.kubeconfig, '--until-complete', ...flags],
      { cwd: plane.folder },
    )
    const closed = once(child, 'close')
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      child.stderr.on('data', (chunk) => {
        printed += chunk
        if (printed.includes('Recording')) resolve()
      })
      child.on('exit', () => reject(new Error(`rollcall record ended: ${printed}`)))
    })
    tool('kubectl', ['set', 'image', `deployment/${name}`, `web=${image}`])
    expect(await closed).toEqual([0, null])
  }

  it.each(played)('is compared with the rollout of $name', async (one) => {
    const { name, ready, stop } = one
    const annotations = { 'rollcall.dev/ready-delay': ready, 'rollcall.dev/stop-delay': stop }
    tool('kubectl', ['apply', '-f', '-'], JSON.stringify(manifest(one, annotations)))
    tool('kubectl', ['rollout', 'status', `deployment/${name}`, '--timeout', '120s'])
    const [real, simulated, timing] = ['real', 'simulated', 'timing'].map(
      (part) => `${name}-${part}.${part === 'timing' ? 'yaml' : 'json'}`,
    ) as [string, string, string]
    await record(name, 'example/web:2', '-o', isLong ? `${name}-first.json` : real, '--learn', timing)
    expect(readFileSync(join(plane.folder, timing), 'utf8')).toContain(`deployment/${name}:`)
    if (isLong) await record(name, 'example/web:3', '-o', real)
    writeFileSync(join(plane.folder, `${name}.json`), JSON.stringify(manifest(one)))
    rollcall(
      ...['simulate', '-f', `${name}.json`, '--to', 'image=example/web:2', '--timing', timing, '--nodes', '4x4cpu16Gi'],
      ...['--policies', 'None', '--trace', simulated],
    )
    const compared = JSON.parse(rollcall('replay', real, simulated, '--compare', '-o', 'json')) as {
      readonly differences: readonly { readonly measures: readonly Difference[] }[]
    }
    const { measures } = compared.differences[0]!
    if (isLong) process.stdout.write(`${name}\n${rollcall('replay', real, simulated, '--compare').split('\n').slice(-9).join('\n')}`)
    const durations = measures.filter(({ measure }) =>
      ['peakPods', 'availableAfterMs', 'oldGoneAfterMs', 'completeAfterMs', 'podSeconds'].includes(measure),
    )
    expect(durations).toHaveLength(5)
    // Of a short rollout on a machine that is busy, much of the time is not that of the pods.
    const limit = isLong ? 0.1 : Number.POSITIVE_INFINITY
    expect(durations.filter(({ error }) => Math.abs(error) > limit)).toEqual([])
  })
})
