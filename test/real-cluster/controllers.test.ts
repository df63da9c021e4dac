// `rollcall controllers` and `rollcall nodes` on a real kube-apiserver, as a cluster administrator runs them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, jobs, leases, pods, replicaSets, statefulSets } from '../../src/api/kinds.ts'
import type { Deployment, Pod, Stored } from '../../src/api/types.ts'
import { realClock } from '../../src/base/clock.ts'
import { builtInNames } from '../../src/cluster/remote/preflight.ts'
import { command } from '../front-door/running-cluster.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'

const waitMs = 100
const patienceMs = 90_000

async function until<T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> {
  const untilMs = realClock.now() + patienceMs
  for (;;) {
    const found = await read()
    if (found !== undefined && found !== false) return found
    if (realClock.now() > untilMs) throw new Error(`timed out waiting until ${what}`)
    await new Promise<void>((resolve) => void realClock.after(waitMs, resolve))
  }
}

interface RunningCommand {
  readonly process: ChildProcess
  output(): string
  end(signal: NodeJS.Signals): Promise<number | null>
}

function run(args: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString()
  })
  return {
    process: child,
    output: () => output,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}

const deployment = (
  name: string,
  replicas: number,
  annotations: Readonly<Record<string, string>> = {},
  strategy: object = {},
): Deployment =>
  ({
    metadata: { name, namespace: 'default', annotations },
    spec: {
      replicas,
      strategy,
      selector: { matchLabels: { app: name } },
      template: {
        // A pod takes half a second to stop: replacements and terminating pods overlap.
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'web', image: 'example/web:1', command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'] }],
        },
      },
    },
  }) as Deployment

/** Counts the pods of an app at every watch event, terminating ones included. */
async function watchPeak({ client }: RealControlPlane, app: string) {
  const alive = new Map<string, boolean>()
  let peak = 0
  const list = await client.list(pods, { namespace: 'default', labelSelector: `app=${app}` })
  const isOver = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'
  const count = () => {
    peak = Math.max(peak, alive.size)
  }
  for (const pod of list.items) if (!isOver(pod)) alive.set(pod.metadata.uid, true)
  count()
  const stop = client.watch(
    pods,
    { namespace: 'default', labelSelector: `app=${app}`, resourceVersion: list.resourceVersion },
    {
      onEvents(events) {
        for (const { type, object } of events as readonly { type: string; object: Stored<Pod> }[]) {
          if (type === 'BOOKMARK') continue
          if (type === 'DELETED' || isOver(object)) alive.delete(object.metadata.uid)
          else alive.set(object.metadata.uid, true)
          count()
        }
      },
      onEnd() {},
    },
  )
  return { peak: () => peak, stop }
}

const condition = ({ status }: Deployment, type: string) => status?.conditions?.find((one) => one.type === type)

describe.skipIf(missing !== undefined)(
  `rollcall controllers on a real kube-apiserver${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let plane: RealControlPlane
    let controllers: RunningCommand
    let nodes: RunningCommand

    const startControllers = (...flags: readonly string[]) =>
      run([
        'controllers',
        '--kubeconfig',
        plane.kubeconfig,
        '--health-address',
        '0',
        '--kube-api-qps',
        '1000',
        '--kube-api-burst',
        '2000',
        ...flags,
      ])

    beforeAll(async () => {
      plane = await startRealControlPlane()
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '5', '--scheduler'])
      controllers = startControllers()
      await until('a replica leads', async () => controllers.output().includes('"leading"'))
    }, 180_000)

    afterAll(async () => {
      await controllers?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    const rolledOut = (name: string) =>
      until(`${name} is rolled out`, async () => {
        const current = await plane.client.get(deployments, { namespace: 'default', name })
        const { status, spec, metadata } = current
        const isDone =
          status?.observedGeneration === metadata.generation &&
          status?.updatedReplicas === spec?.replicas &&
          status?.availableReplicas === spec?.replicas &&
          status?.replicas === spec?.replicas &&
          condition(current, 'Progressing')?.reason === 'NewReplicaSetAvailable'
        return isDone && current
      })

    const setImage = (name: string, image: string) =>
      plane.client.patch(deployments, { namespace: 'default', name }, 'strategic', {
        spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
      })

    it('rolls a Deployment out, with the conditions of KEP-2804', { timeout: 120_000 }, async () => {
      await plane.client.create(deployments, 'default', deployment('plain', 4))
      const current = await rolledOut('plain')
      expect(condition(current, 'Operational')?.status).toBe('True')
      expect(condition(current, 'Available')?.status).toBe('True')
    })

    it('keeps replicas + maxSurge under the annotation for TerminationComplete, at every watch event', { timeout: 180_000 }, async () => {
      const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
      await plane.client.create(deployments, 'default', deployment('capped', 6, annotations))
      await rolledOut('capped')
      const watch = await watchPeak(plane, 'capped')
      await setImage('capped', 'example/web:2')
      await rolledOut('capped')
      watch.stop()
      expect(watch.peak()).toBeLessThanOrEqual(6 + 2)
      const { items } = await plane.client.list(replicaSets, { namespace: 'default', labelSelector: 'app=capped' })
      expect(items.map(({ metadata }) => metadata.annotations?.['rollcall.dev/pod-replacement-policy'])).toEqual([
        'TerminationComplete',
        'TerminationComplete',
      ])
    })

    it('does not overlap revisions under Recreate and TerminationComplete', { timeout: 180_000 }, async () => {
      const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
      await plane.client.create(deployments, 'default', deployment('recreated', 3, annotations, { type: 'Recreate' }))
      await rolledOut('recreated')
      const watch = await watchPeak(plane, 'recreated')
      await setImage('recreated', 'example/web:2')
      await rolledOut('recreated')
      watch.stop()
      expect(watch.peak()).toBeLessThanOrEqual(3)
    })

    it('runs StatefulSets in order, and Jobs to their end', { timeout: 120_000 }, async () => {
      const template = (restartPolicy: string, script: string) => ({
        metadata: { labels: { app: 'other' } },
        spec: { restartPolicy, containers: [{ name: 'c', image: 'example/c:1', command: ['sh', '-c', script] }] },
      })
      await plane.client.create(statefulSets, 'default', {
        metadata: { name: 'db' },
        spec: { replicas: 3, serviceName: 'db', selector: { matchLabels: { app: 'other' } }, template: template('Always', 'sleep 1000') },
      } as never)
      await plane.client.create(jobs, 'default', {
        metadata: { name: 'sums' },
        spec: { completions: 3, parallelism: 2, template: template('Never', 'echo done') },
      } as never)
      await until(
        'the StatefulSet is ready',
        async () => (await plane.client.get(statefulSets, { namespace: 'default', name: 'db' })).status?.readyReplicas === 3,
      )
      const job = await until('the Job is complete', async () => {
        const current = await plane.client.get(jobs, { namespace: 'default', name: 'sums' })
        return current.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') && current
      })
      expect(job.status?.succeeded).toBe(3)
    })

    it('hands over at once on SIGTERM, and goes on after the API server was killed', { timeout: 240_000 }, async () => {
      const standby = startControllers('--leader-elect-lease-duration', '15s')
      await until('the standby has synced', async () => standby.output().includes('caches have synced'))
      const stoppedAt = realClock.now()
      expect(await controllers.end('SIGTERM')).toBe(0)
      await until('the standby leads', async () => standby.output().includes('"leading"'))
      expect(realClock.now() - stoppedAt).toBeLessThan(15_000)
      controllers = standby
      const { spec } = await plane.client.get(leases, { namespace: 'default', name: 'rollcall-controllers' })
      expect(spec?.leaseTransitions).toBe(1)
      await plane.restartApiServer()
      await plane.client.patch(deployments, { namespace: 'default', name: 'plain' }, 'merge', { spec: { replicas: 7 } })
      await rolledOut('plain')
    })

    it('refuses to start beside active built-in controllers, and says how to turn them off', { timeout: 120_000 }, async () => {
      await controllers.end('SIGTERM')
      const manager = await plane.startControllerManager('*')
      const refused = startControllers()
      const [code] = (await once(refused.process, 'exit')) as [number]
      expect(code).toBe(3)
      expect(refused.output()).toMatch(/error: the built-in controllers for deployment, replicaset, .*ttl-after-finished are active/)
      for (const word of ['kubeadm', 'kind', 'k3s']) expect(refused.output()).toContain(`  ${word}`)
      manager.kill('SIGKILL')
    })
  },
)
