// Every node of a cluster is drained in turn by kubectl, on a real kube-apiserver: with the built-in controllers, with `rollcall pacer
// --evictions` beside them, and with `rollcall controllers --evictions` in their place.
// `npm run bench -- drains FOLDER [--deployments 50] [--nodes 20] [--only pacer]`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { deployments, podDisruptionBudgets } from '../src/api/kinds.ts'
import { realClock } from '../src/base/clock.ts'
import { hasEvictionMarks } from '../src/controllers/eviction/plan/eviction-marks.ts'
import { pacerGate } from '../src/controllers/pacer/plan/pacing.ts'
import { freePort } from '../test/front-door/free-port.ts'
import { drainFleet } from '../test/real-cluster/drained-fleet.ts'
import { type RealControlPlane, withoutWorkloadControllers } from '../test/real-cluster/real-control-plane.ts'
import { run, until } from '../test/real-cluster/running-command.ts'
import { deployment, isTerminating, podsOf, podTemplate } from '../test/real-cluster/workloads.ts'
import { flag, withRealCluster } from './real-cluster.ts'

const deploymentCount = Number(flag('--deployments') ?? 50)
const nodeCount = Number(flag('--nodes') ?? 20)
const namespace = 'default'
const largest = 20
const graceSeconds = 1

const modes = ['stock', 'pacer', 'controllers'] as const
type Mode = (typeof modes)[number]
const only = flag('--only')

const names = Array.from({ length: deploymentCount }, (_, index) => `fleet-${index}`)
const sizes = names.map((_, index) => 1 + ((index * 3) % largest))
const caps = sizes.map((size, index) => size + 1 + (index % 2))

async function create(plane: RealControlPlane, mode: Mode): Promise<void> {
  const { client } = plane
  for (const [index, name] of names.entries()) {
    const replicas = sizes[index]!
    const rollingUpdate = { maxSurge: caps[index]! - replicas, maxUnavailable: 0 }
    const annotations: Record<string, string> = mode === 'stock' ? {} : { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
    const plain = deployment(name, { replicas, annotations, strategy: { rollingUpdate } })
    const spec = mode === 'pacer' ? { schedulingGates: [{ name: pacerGate }] } : {}
    await client.create(deployments, namespace, {
      ...plain,
      spec: { ...plain.spec!, template: podTemplate(name, { graceSeconds, spec }) },
    } as never)
    // Behind this budget the drain of a stock cluster would never end.
    if (mode !== 'stock')
      await client.create(podDisruptionBudgets, namespace, {
        metadata: { name },
        spec: { minAvailable: replicas, selector: { matchLabels: { app: name } } },
      } as never)
  }
  await settled(plane)
}

const settled = (plane: RealControlPlane) =>
  Promise.all(
    names.map((name, index) =>
      until(
        `${name} has its pods`,
        async () => {
          const { status } = await plane.client.get(deployments, { namespace, name })
          const found = await podsOf(plane.client, name)
          return (
            status?.availableReplicas === sizes[index] &&
            found.length === sizes[index] &&
            !found.some((pod) => isTerminating(pod) || hasEvictionMarks(pod))
          )
        },
        600_000,
      ),
    ),
  )

async function startAnswering(plane: RealControlPlane, mode: Mode) {
  if (mode === 'stock') return undefined
  const port = await freePort()
  const flags = ['--admission', 'none', '--evictions', '--name', `rollcall-${mode}`, '--webhook-url', `https://127.0.0.1:${port}`]
  const manifests = run(['pacer', 'manifests', ...flags])
  await manifests.ended
  const apply = spawn('kubectl', ['--kubeconfig', plane.kubeconfig, 'apply', '-f', '-'])
  apply.stdin.end(manifests.output())
  await once(apply, 'close')
  const own = mode === 'pacer' ? ['--admission', 'none'] : ['--no-preflight', '--kube-api-qps', '1000', '--kube-api-burst', '2000']
  const address = ['--webhook-address', `127.0.0.1:${port}`, '--webhook-hosts', '127.0.0.1']
  const command = run([mode, '--kubeconfig', plane.kubeconfig, '--health-address', '0', '--evictions', ...address, ...own])
  await command.prints('"leading"')
  return command
}

process.stdout.write(`${deploymentCount} Deployments of 1 to ${largest} replicas on ${nodeCount} nodes, each drained in turn\n`)
for (const mode of modes) {
  if (only !== undefined && only !== mode) continue
  const start = async (plane: RealControlPlane) => {
    await plane.startControllerManager(mode === 'controllers' ? withoutWorkloadControllers : '*')
    await plane.startScheduler()
  }
  await withRealCluster(nodeCount, [], start, async (plane) => {
    const answering = await startAnswering(plane, mode)
    try {
      await create(plane, mode)
      const fromMs = realClock.now()
      const { lowest, peaks, belowSeconds, drainSeconds } = await drainFleet(
        { client: plane.client, kubeconfig: plane.kubeconfig, names },
        () => settled(plane),
      )
      const below = lowest.filter((count, index) => count < sizes[index]!).length
      const above = peaks.filter((count, index) => count > caps[index]!).length
      const longest = Math.max(...drainSeconds).toFixed(1)
      const mean = (drainSeconds.reduce((sum, one) => sum + one, 0) / drainSeconds.length).toFixed(1)
      process.stdout.write(
        `${mode}: below their replicas ${below} Deployments, for ${belowSeconds.toFixed(1)} s in all; down ${lowest.filter((count) => count === 0).length}; above replicas + maxSurge ${above}; a drain ${mean} s, the longest ${longest} s; all ${((realClock.now() - fromMs) / 1000).toFixed(0)} s\n`,
      )
    } finally {
      await answering?.end('SIGKILL')
    }
  })
}
