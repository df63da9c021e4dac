// `rollcall pacer` beside stock kube-controller-manager and kube-scheduler: terminating pods count, although neither counts them.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { seededRandom } from '../../src/base/random.ts'
import { isGated, pacerGate } from '../../src/controllers/pacer/plan/pacing.ts'
import { command } from '../front-door/running-cluster.ts'
import { countAdmitted } from './admitted-pods.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { pause, type RunningCommand, run, until } from './running-command.ts'
import { deployment, isTerminating, podsOf, rolledOut, setImage } from './workloads.ts'

/** Fifty by hand, with ROLLCALL_PACER_KILLS=50. */
const kills = Number(process.env['ROLLCALL_PACER_KILLS'] ?? 2)

const gatedDeployment = (name: string, replicas: number, strategy: object, graceSeconds = 2) => {
  const plain = deployment(name, { replicas, strategy, graceSeconds })
  const template = plain.spec!.template!
  return {
    ...plain,
    spec: { ...plain.spec!, template: { ...template, spec: { ...template.spec!, schedulingGates: [{ name: pacerGate }] } } },
  } as typeof plain
}

describe.skipIf(missing !== undefined)(
  `rollcall pacer beside the built-in controllers${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let plane: RealControlPlane
    let pacer: RunningCommand
    let nodes: RunningCommand
    /** A Lease that the next one need not wait for long, and that a busy machine does not lose. */
    const lease = ['lease-duration=8s', 'renew-deadline=7s', 'retry-period=500ms'].map((setting) => `--leader-elect-${setting}`)
    const startPacer = async () => {
      pacer = run(['pacer', '--kubeconfig', plane.kubeconfig, '--health-address', '0', ...lease])
      await pacer.prints('"leading"')
    }
    const rollcall = (...args: readonly string[]) =>
      spawnSync(process.execPath, [command, ...args, '--kubeconfig', plane.kubeconfig], { encoding: 'utf8' })

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager()
      await plane.startScheduler()
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '5'])
      await startPacer()
    }, 180_000)

    afterAll(async () => {
      await pacer?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    it.each([
      ['surging', { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }, 6, 8],
      ['unsurging', { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }, 6, 6],
      ['recreated', { type: 'Recreate' }, 4, 4],
    ])(
      '%s: admitted pods never exceed replicas + maxSurge, and the rollout completes',
      { timeout: 240_000 },
      async (name, strategy, replicas, cap) => {
        const count = await countAdmitted(plane, name)
        await plane.client.create(deployments, 'default', gatedDeployment(name, replicas, strategy))
        await rolledOut(plane.client, name)
        await setImage(plane.client, name, 'example/web:2')
        await rolledOut(plane.client, name)
        count.stop()
        expect(count.peak()).toBeLessThanOrEqual(cap)
      },
    )

    it(`loses nothing when it is killed at random moments (${kills} times), and what it held back is released by the next`, {
      timeout: 240_000 + kills * 20_000,
    }, async () => {
      const random = seededRandom(Number(process.env['ROLLCALL_PROPERTY_SEED'] ?? 1))
      const count = await countAdmitted(plane, 'killed')
      const isWaiting = (pod: Stored<Pod>) => isGated(pod) && !isTerminating(pod)
      await plane.client.create(
        deployments,
        'default',
        gatedDeployment('killed', 4, { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }, 1),
      )
      await rolledOut(plane.client, 'killed')
      for (let kill = 1; kill <= kills; kill++) {
        await setImage(plane.client, 'killed', `example/web:${1 + (kill % 7)}`)
        await pause(random.next() * 2000)
        await pacer.end('SIGKILL')
        if (kill < kills) await startPacer()
      }
      // It is dead: who did not ask for it does not notice, and who did waits.
      await plane.client.create(deployments, 'default', deployment('unpaced', { replicas: 3 }))
      await rolledOut(plane.client, 'unpaced')
      await setImage(plane.client, 'killed', 'example/web:last')
      await until('new pods wait', async () => (await podsOf(plane.client, 'killed')).some(isWaiting))
      const noPacer = /^Deployment default\/killed: .*\n.*\n {2}there is room for \d: is the pacer running\?\n$/
      await until('the status misses it', async () => noPacer.test(rollcall('pacer', 'status').stdout))
      await startPacer()
      await rolledOut(plane.client, 'killed')
      await until('only its pods are left', async () => (await podsOf(plane.client, 'killed')).length === 4)
      expect((await podsOf(plane.client, 'killed')).filter(isWaiting)).toEqual([])
      count.stop()
      expect(count.peak()).toBeLessThanOrEqual(6)
    })

    it('paces evicted pods, reports which pods wait for which, and releases them on demand', { timeout: 240_000 }, async () => {
      const count = await countAdmitted(plane, 'unsurging')
      // Its nodes are stopped: nothing terminates, and the replacements wait.
      await nodes.end('SIGKILL')
      const [first] = await podsOf(plane.client, 'unsurging')
      await plane.client.delete(pods, { namespace: 'default', name: first!.metadata.name })
      await until('a replacement waits', async () => (await podsOf(plane.client, 'unsurging')).some(isGated))
      const status = rollcall('pacer', 'status')
      expect(status.stdout).toMatch(
        /^Deployment default\/unsurging: 1 waiting for \S+.*, 6 of 6 admitted\n {2}waiting {2}unsurging-\S+\n {2}for {6}unsurging-\S+ \(terminating\)\n$/,
      )
      expect(count.peak()).toBe(6)
      await pacer.end('SIGTERM')
      expect(rollcall('pacer', 'release', '--all').stdout).toMatch(
        /^Released 1 pod in all namespaces\.\nNew pods of Deployment default\/killed, .* get the gate from their pod template\. Take it out with --templates\.\n$/,
      )
      expect((await podsOf(plane.client, 'unsurging')).some(isGated)).toBe(false)
      expect(rollcall('pacer', 'status', '--all-namespaces').stdout).toBe('No pod waits.\n')
      count.stop()
    })
  },
)
