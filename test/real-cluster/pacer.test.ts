// `rollcall pacer` beside stock kube-controller-manager and kube-scheduler: terminating pods count, although neither counts them.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { isGated, pacerGate } from '../../src/controllers/pacer/plan/pacing.ts'
import { command } from '../front-door/running-cluster.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run, until } from './running-command.ts'
import { deployment, podsOf, rolledOut, setImage } from './workloads.ts'

/** Counts the admitted pods of an app at every watch event: those without the gate that have not terminated. */
async function countAdmitted({ client }: RealControlPlane, app: string) {
  const admitted = new Set<string>()
  let peak = 0
  const observe = (type: string, pod: Stored<Pod>) => {
    const isOver = type === 'DELETED' || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver || isGated(pod)) admitted.delete(pod.metadata.uid)
    else admitted.add(pod.metadata.uid)
    peak = Math.max(peak, admitted.size)
  }
  const scope = { namespace: 'default', labelSelector: `app=${app}` }
  const list = await client.list(pods, scope)
  for (const pod of list.items) observe('ADDED', pod)
  const stop = client.watch(
    pods,
    { ...scope, resourceVersion: list.resourceVersion },
    {
      onEvents(events) {
        for (const { type, object } of events) if (type !== 'BOOKMARK') observe(type, object)
      },
      onEnd() {},
    },
  )
  return { peak: () => peak, stop }
}

const gatedDeployment = (name: string, replicas: number, strategy: object) => {
  const plain = deployment(name, { replicas, strategy, graceSeconds: 2 })
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
    const startPacer = () =>
      run(['pacer', '--kubeconfig', plane.kubeconfig, '--health-address', '0', '--kube-api-qps', '1000', '--kube-api-burst', '2000'])
    const rollcall = (...args: readonly string[]) =>
      spawnSync(process.execPath, [command, ...args, '--kubeconfig', plane.kubeconfig], { encoding: 'utf8' })

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager()
      await plane.startScheduler()
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '5'])
      pacer = startPacer()
      await until('the pacer leads', async () => pacer.output().includes('"leading"'))
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

    it('paces evicted pods, says who waits for whom, and releases them on demand', { timeout: 240_000 }, async () => {
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
      expect(rollcall('pacer', 'release', '--all').stdout).toBe('Released 1 pod in all namespaces.\n')
      expect((await podsOf(plane.client, 'unsurging')).some(isGated)).toBe(false)
      expect(rollcall('pacer', 'status', '--all-namespaces').stdout).toBe('No pod waits.\n')
      count.stop()
    })
  },
)
