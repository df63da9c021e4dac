// Real `kubectl drain` of nodes whose pods are replaced before they are evicted: by `rollcall pacer --evictions` beside the built-in
// controllers, and by `rollcall controllers --evictions` in their place.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreEvents, deployments, nodes as nodeKind, podDisruptionBudgets, pods } from '../../src/api/kinds.ts'
import { controllerOf } from '../../src/api/machinery/owners.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { hasEvictionMarks, isBeingReplaced } from '../../src/controllers/eviction/plan/eviction-marks.ts'
import { pacerGate } from '../../src/controllers/pacer/plan/pacing.ts'
import { freePort } from '../front-door/free-port.ts'
import { countAvailable } from './available-pods.ts'
import { drainFleet } from './drained-fleet.ts'
import { kubectlOf } from './kubectl.ts'
import { missing, type RealControlPlane, startRealControlPlane, withoutWorkloadControllers } from './real-control-plane.ts'
import { pause, type RunningCommand, run, until } from './running-command.ts'
import { deployment, isTerminating, podsOf, podTemplate, rolledOut, setImage } from './workloads.ts'

const namespace = 'default'
/** Fifty Deployments on twenty nodes by hand, with ROLLCALL_DRAINS=50. */
const fleet = Number(process.env['ROLLCALL_DRAINS'] ?? 4)
const nodeCount = Math.max(3, Math.ceil(fleet / 2.5))

describe.skipIf(missing !== undefined).each(['pacer', 'controllers'])(
  `evictions with rollcall %s${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 120_000 + fleet * 20_000 },
  (mode) => {
    const isPacer = mode === 'pacer'
    let plane: RealControlPlane
    let pacer: RunningCommand
    let nodes: RunningCommand
    let webhookPort: number

    const lease = ['lease-duration=8s', 'renew-deadline=7s', 'retry-period=500ms'].map((setting) => `--leader-elect-${setting}`)
    const startPacer = async (...flags: readonly string[]) => {
      const webhook = ['--evictions', '--webhook-address', `127.0.0.1:${webhookPort}`, '--webhook-hosts', '127.0.0.1']
      const own = isPacer ? ['--admission', 'none'] : ['--no-preflight', '--kube-api-qps', '1000', '--kube-api-burst', '2000']
      pacer = run([mode, '--kubeconfig', plane.kubeconfig, '--health-address', '0', ...own, ...webhook, ...lease, ...flags])
      await pacer.prints('"leading"')
    }
    const kubectl = (...args: readonly string[]) => kubectlOf(plane.kubeconfig)(...args)
    const drain = (node: string) => kubectl('drain', node, '--ignore-daemonsets', '--timeout=90s')

    /** With the gate in the template, and a budget that lets no pod go without a replacement. */
    const create = async (name: string, replicas: number, { startSeconds = 0, maxSurge = 1 } = {}) => {
      const spec = {
        ...(isPacer && { schedulingGates: [{ name: pacerGate }] }),
        ...(startSeconds > 0 && { initContainers: [slowStart(startSeconds)] }),
      }
      const plain = deployment(name, { replicas, strategy: { rollingUpdate: { maxSurge, maxUnavailable: 0 } } })
      const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
      const template = podTemplate(name, { graceSeconds: 1, spec })
      await plane.client.create(deployments, namespace, {
        ...plain,
        metadata: { ...plain.metadata, annotations },
        spec: { ...plain.spec!, template },
      } as never)
      await plane.client.create(podDisruptionBudgets, namespace, {
        metadata: { name },
        spec: { minAvailable: replicas, selector: { matchLabels: { app: name } } },
      } as never)
      await rolledOut(plane.client, name)
    }
    const remove = async (name: string) => {
      await plane.client.delete(deployments, { namespace, name })
      await plane.client.delete(podDisruptionBudgets, { namespace, name })
    }
    const nodeOf = async (app: string) => (await podsOf(plane.client, app)).find((pod) => !isTerminating(pod))!.spec!.nodeName!
    const isLeft = (pod: Stored<Pod>) => hasEvictionMarks(pod) || controllerOf(pod)?.kind !== 'ReplicaSet'
    const isReplaced = (pod: Stored<Pod>) => (isPacer ? controllerOf(pod)?.kind === 'Deployment' : isBeingReplaced(pod))
    const nothingIsLeft = (app: string, replicas: number) =>
      until(`${app} is as before`, async () => {
        const all = await podsOf(plane.client, app)
        return all.length === replicas && !all.some(isLeft)
      })

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager(isPacer ? '*' : withoutWorkloadControllers)
      await plane.startScheduler()
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', String(nodeCount)])
      webhookPort = await freePort()
      const url = `https://127.0.0.1:${webhookPort}`
      const flags = ['pacer', 'manifests', '--admission', 'none', '--evictions', '--webhook-url', url, '--name', `rollcall-${mode}`]
      const manifests = run(flags)
      await manifests.ended
      const apply = spawn('kubectl', ['--kubeconfig', plane.kubeconfig, 'apply', '-f', '-'])
      apply.stdin.end(manifests.output())
      await once(apply, 'close')
      await until('the nodes are there', async () => (await plane.client.list(nodeKind)).items.length === nodeCount)
      await startPacer()
    }, 240_000)

    afterAll(async () => {
      await pacer?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    it('one replica that a budget protects: the drain ends, and one pod is always available', async () => {
      await create('single', 1)
      const count = await countAvailable(plane.client, 'single')
      const node = await nodeOf('single')
      expect(await drain(node)).toMatchObject({ code: 0 })
      await kubectl('uncordon', node)
      await nothingIsLeft('single', 1)
      count.stop()
      expect([count.lowest(), count.peak()]).toEqual([1, 2])
      await remove('single')
    })

    it(`${fleet} Deployments on ${nodeCount} nodes, which are drained in turn: none goes below its replicas or above its cap`, async () => {
      const sizes = Array.from({ length: fleet }, (_, index) => 1 + ((index * 3) % Math.min(20, fleet)))
      const names = sizes.map((_, index) => `fleet-${index}`)
      for (const [index, name] of names.entries()) await create(name, sizes[index]!, { maxSurge: 1 + (index % 2) })
      const settled = () => Promise.all(names.map((name, index) => nothingIsLeft(name, sizes[index]!)))
      const { lowest, peaks, belowSeconds } = await drainFleet({ client: plane.client, kubeconfig: plane.kubeconfig, names }, settled)
      expect([lowest, belowSeconds]).toEqual([sizes, 0])
      expect(peaks.map((peak, index) => peak <= sizes[index]! + 1 + (index % 2))).toEqual(sizes.map(() => true))
      await Promise.all(names.map(remove))
    })

    it.each<[string, (pod: Stored<Pod>, all: readonly Stored<Pod>[]) => boolean]>([
      ['the request was noted', (pod) => hasEvictionMarks(pod)],
      ['the pod is being replaced', (pod) => isReplaced(pod)],
      ['the replacement exists', (pod, all) => isReplaced(pod) && all.length === 2],
      ['the eviction may pass', (pod) => pod.metadata.annotations?.['rollcall.dev/eviction-answer'] !== undefined],
    ])('killed with SIGKILL when %s: the next one goes on, and nothing is left', async (_name, isReached) => {
      await create('killed', 1, { startSeconds: 1 })
      const count = await countAvailable(plane.client, 'killed')
      const node = await nodeOf('killed')
      const drained = drain(node)
      await until('that is so', async () => {
        const all = await podsOf(plane.client, 'killed')
        return all.length === 0 || all.some((pod) => isReached(pod, all))
      })
      await pacer.end('SIGKILL')
      await pause(500)
      await startPacer()
      expect(await drained).toMatchObject({ code: 0 })
      await kubectl('uncordon', node)
      await nothingIsLeft('killed', 1)
      count.stop()
      expect([count.lowest(), count.peak()]).toEqual([1, 2])
      await remove('killed')
    })

    it('goes on through a scale and a rollout', async () => {
      await create('busy', 3, { maxSurge: 1, startSeconds: 1 })
      const count = await countAvailable(plane.client, 'busy')
      const node = await nodeOf('busy')
      const drained = drain(node)
      await until('a pod is replaced', async () => (await podsOf(plane.client, 'busy')).some(isReplaced))
      await setImage(plane.client, 'busy', 'example/web:2')
      await plane.client.patch(deployments, { namespace, name: 'busy' }, 'merge', { spec: { replicas: 4 } })
      expect(await drained).toMatchObject({ code: 0 })
      await kubectl('uncordon', node)
      await rolledOut(plane.client, 'busy')
      await nothingIsLeft('busy', 4)
      count.stop()
      expect(count.lowest()).toBe(3)
      expect(count.peak()).toBeLessThanOrEqual(5)
      await remove('busy')
    })

    it('leaves the pod alone when its replacement does not become available, and when the drain is given up', async () => {
      await pacer.end('SIGTERM')
      await startPacer('--eviction-timeout', '4s')
      await create('stuck', 1)
      const [old] = await podsOf(plane.client, 'stuck')
      const all = (await plane.client.list(nodeKind)).items.map(({ metadata }) => metadata.name)
      for (const name of all) await kubectl('cordon', name)
      const { code, text } = await kubectl('drain', old!.spec!.nodeName!, '--ignore-daemonsets', '--timeout=15s')
      expect(code).toBe(1)
      expect(text).toContain('disruption budget')
      const events = await plane.client.list(coreEvents, { namespace })
      expect(
        events.items.find(({ reason, involvedObject }) => reason === 'EvictionTimedOut' && involvedObject?.kind === 'Pod')?.message,
      ).toContain('there was no available replacement within 4 s')
      const left = await until('the replacement is gone', async () => {
        const found = await podsOf(plane.client, 'stuck')
        return found.length === 1 && found
      })
      expect(left[0]!.metadata.uid).toBe(old!.metadata.uid)
      expect(controllerOf(left[0]!)?.kind).toBe('ReplicaSet')
      await plane.client.delete(pods, { namespace, name: old!.metadata.name })
      for (const name of all) await kubectl('uncordon', name)
      await remove('stuck')
    })
  },
)

const slowStart = (seconds: number) => ({ name: 'start', image: 'example/start:1', command: ['sleep', String(seconds)] })
