// What happens to paced workloads besides rollouts, beside stock kube-controller-manager and kube-scheduler: scales, evictions, Jobs, lost
// nodes, and a cluster without room to spare. Admitted pods are counted at every watch event.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, jobs, nodes as nodeKind, pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { isGated, pacerGate } from '../../src/controllers/pacer/plan/pacing.ts'
import { countAdmitted } from './admitted-pods.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run, until } from './running-command.ts'
import { deployment, endPod, isTerminating, podsOf, podTemplate, rolledOut, setImage } from './workloads.ts'

const namespace = 'default'

interface Choices {
  readonly replicas: number
  readonly pool: string
  readonly strategy?: object
  readonly graceSeconds?: number
  readonly isPaced?: boolean
  readonly spec?: object
}

/** Of one pool of nodes, with the gate in the template. */
function paced(name: string, { replicas, pool, strategy = {}, graceSeconds = 2, isPaced = true, spec = {} }: Choices) {
  const plain = deployment(name, { replicas, strategy, graceSeconds })
  const template = podTemplate(name, { graceSeconds, spec: { nodeSelector: { pool }, ...(isPaced && gated), ...spec } })
  return { ...plain, spec: { ...plain.spec!, template } } as typeof plain
}
const gated = { schedulingGates: [{ name: pacerGate }] }

describe.skipIf(missing !== undefined)(
  `paced workloads beside the built-in controllers${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    let pacer: RunningCommand
    const fleets: RunningCommand[] = []

    /** A process of its own for each pool: it can be lost. */
    const startNodes = (pool: string, count: number, cpu: number) => {
      const file = join(plane.folder, `${pool}.json`)
      writeFileSync(file, JSON.stringify([{ name: pool, count, cpu, labels: { pool } }]))
      const fleet = run(['nodes', '--kubeconfig', plane.kubeconfig, '--node-file', file])
      fleets.push(fleet)
      return fleet
    }
    const scale = (name: string, replicas: number) => plane.client.patch(deployments, { namespace, name }, 'merge', { spec: { replicas } })
    const create = (name: string, choices: Choices) => plane.client.create(deployments, namespace, paced(name, choices))
    const waiting = async (name: string) => (await podsOf(plane.client, name)).filter((pod) => isGated(pod) && !isTerminating(pod)).length

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager()
      await plane.startScheduler()
      startNodes('roomy', 3, 16)
      pacer = run([
        'pacer',
        '--kubeconfig',
        plane.kubeconfig,
        '--health-address',
        '0',
        '--kube-api-qps',
        '1000',
        '--kube-api-burst',
        '2000',
      ])
      await pacer.prints('"leading"')
    }, 240_000)

    afterAll(async () => {
      await pacer?.end('SIGKILL')
      for (const fleet of fleets) await fleet.end('SIGKILL')
      await plane?.stop()
    })

    it('scales up and down while pods terminate', async () => {
      const count = await countAdmitted(plane, 'scaled')
      await create('scaled', { replicas: 6, pool: 'roomy', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } })
      await rolledOut(plane.client, 'scaled')
      await scale('scaled', 2)
      await until('pods terminate', async () => (await podsOf(plane.client, 'scaled')).filter(isTerminating).length === 4)
      await scale('scaled', 6)
      await until('new pods wait', async () => (await waiting('scaled')) > 0)
      await rolledOut(plane.client, 'scaled')
      count.stop()
      expect(count.peak()).toBe(6)
    })

    it('paces evicted pods', async () => {
      const count = await countAdmitted(plane, 'evicted')
      await create('evicted', { replicas: 4, pool: 'roomy', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } })
      await rolledOut(plane.client, 'evicted')
      for (const { metadata } of (await podsOf(plane.client, 'evicted')).slice(0, 3)) {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } }
        await plane.client.createSubresource(pods, { namespace, name: metadata.name }, 'eviction', body)
      }
      await until('new pods wait', async () => (await waiting('evicted')) === 3)
      await rolledOut(plane.client, 'evicted')
      count.stop()
      expect(count.peak()).toBe(4)
    })

    it('paces the pods of a Job, which completes', async () => {
      const count = await countAdmitted(plane, 'work')
      const spec = { nodeSelector: { pool: 'roomy' }, restartPolicy: 'Never', ...gated }
      const template = podTemplate('work', { graceSeconds: 2, spec })
      const [container] = template.spec.containers
      const command = ['sh', '-c', 'trap "" TERM; sleep 4']
      await plane.client.create(jobs, namespace, {
        metadata: { name: 'work' },
        spec: {
          parallelism: 3,
          completions: 4,
          template: { ...template, spec: { ...template.spec, containers: [{ ...container!, command }] } },
        },
      } as never)
      const isRunning = ({ status }: Stored<Pod>) => status?.phase === 'Running'
      await until('its pods run', async () => (await podsOf(plane.client, 'work')).filter(isRunning).length === 3)
      const [first] = await podsOf(plane.client, 'work')
      await plane.client.delete(pods, { namespace, name: first!.metadata.name })
      await until('it completes', async () => (await plane.client.get(jobs, { namespace, name: 'work' })).status?.succeeded === 4)
      count.stop()
      expect(count.peak()).toBe(3)
      expect(count.waited()).toBeGreaterThanOrEqual(5)
    })

    it('needs no other node in a cluster without room to spare, where one would be bought without it', async () => {
      startNodes('tight', 2, 2)
      const spec = {
        containers: [
          {
            name: 'web',
            image: 'example/web:1',
            resources: { requests: { cpu: '1' } },
            command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'],
          },
        ],
      }
      // Room for four pods, as many as there may be. An autoscaler adds a node for each unschedulable pod.
      const askedFor: Record<string, boolean> = {}
      for (const [name, isPaced] of [
        ['bought', false],
        ['spared', true],
      ] as const) {
        await create(name, { replicas: 3, pool: 'tight', isPaced, spec, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
        await rolledOut(plane.client, name)
        const isUnschedulable = ({ status }: Stored<Pod>) =>
          status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') ?? false
        const seen = new Set<string>()
        const { resourceVersion } = await plane.client.list(pods, { namespace, labelSelector: `app=${name}` })
        const stop = plane.client.watch(
          pods,
          { namespace, labelSelector: `app=${name}`, resourceVersion },
          {
            onEvents: (events) => events.forEach(({ object }) => void (isUnschedulable(object) && seen.add(object.metadata.name))),
            onEnd() {},
          },
        )
        await setImage(plane.client, name, 'example/web:2')
        await rolledOut(plane.client, name)
        stop()
        askedFor[name] = seen.size > 0
        await plane.client.delete(deployments, { namespace, name }, { propagationPolicy: 'Foreground' })
        await until('its pods are gone', async () => (await podsOf(plane.client, name)).length === 0)
      }
      expect(askedFor).toEqual({ bought: true, spared: false })
    })

    it('waits for the pods of lost nodes until they are deleted', async () => {
      const lost = startNodes('lost', 2, 16)
      const count = await countAdmitted(plane, 'lost')
      await create('lost', { replicas: 4, pool: 'lost', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } })
      await rolledOut(plane.client, 'lost')
      await lost.end('SIGKILL')
      const { items } = await plane.client.list(nodeKind, { labelSelector: 'pool=lost' })
      // What the node controller does after 50 seconds without a heartbeat.
      const taints = [{ key: 'example.com/lost', value: 'true', effect: 'NoExecute' }]
      for (const { metadata } of items) await plane.client.patch(nodeKind, { name: metadata.name }, 'merge', { spec: { taints } })
      await until('its pods are evicted, and their replacements wait', async () => (await waiting('lost')) === 4)
      expect((await podsOf(plane.client, 'lost')).filter(isTerminating)).toHaveLength(4)
      // Someone who knows that the machines are gone deletes them and their pods, and adds others.
      for (const { metadata } of items) await plane.client.delete(nodeKind, { name: metadata.name })
      for (const { metadata } of (await podsOf(plane.client, 'lost')).filter(isTerminating)) await endPod(plane.client, metadata.name)
      startNodes('lost', 2, 16)
      await rolledOut(plane.client, 'lost')
      count.stop()
      expect(count.peak()).toBe(4)
    })
  },
)
