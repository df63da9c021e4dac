// What `rollcall pacer` adds to a rollout whose pods terminate at once: real kube-apiserver, kube-controller-manager and kube-scheduler with
// nodes of `rollcall nodes`, one Deployment, with and without the pacer in turns. FOLDER has the programs that scripts/build-kubernetes.sh builds.
//
//   npm run bench -- pacer FOLDER [--quick] [--turns N] [--replicas N] [--admission policy|webhook|template] [--qps N] [--profile FOLDER]
//
// --qps limits the requests a second of kube-controller-manager and of kube-scheduler (default: 1000); `stock` is 20, the default of the former.
// --profile writes a CPU profile of each pacer.
import { loadavg } from 'node:os'
import { deployments, namespaces, pods } from '../src/api/kinds.ts'
import type { Deployment, KubernetesObject } from '../src/api/types.ts'
import { realClock } from '../src/base/clock.ts'
import { policyObjects, webhookObjects } from '../src/cluster/pacer/pacer-admission-objects.ts'
import type { RealControlPlane } from '../test/real-cluster/real-control-plane.ts'
import { type RunningCommand, run, until } from '../test/real-cluster/running-command.ts'
import { deploymentOf, imagePatch, isRolledOut } from './deployments.ts'
import { cpuSecondsOf } from './measuring.ts'
import { args, flag, imageVariables, nodeFlags, patienceMs, withRealCluster } from './real-cluster.ts'
import { median } from './table.ts'

const replicas = Number(flag('--replicas') ?? (args.includes('--quick') ? 100 : 1000))
const turns = Number(flag('--turns') ?? 3)
const admission = flag('--admission') ?? 'policy'
const qps = flag('--qps') ?? '1000'
/** With the surge and what terminates, on nodes of 110 pods each. */
const nodeCount = Math.ceil((replicas * 1.6) / 110)
const webhookPort = 20_000 + (process.pid % 20_000)
const objects = { name: 'rollcall-pacer', namespace: 'kube-system' }
const optIn = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
const gates = { schedulingGates: [{ name: 'rollcall.dev/pacer' }] }

/** Nothing in its pods runs: they terminate as soon as their node has been notified. */
const deployment = (isPaced: boolean) =>
  deploymentOf('web', replicas, { ...(isPaced && admission === 'template' && { spec: gates }) }) as Deployment

/** Resources that this program has no kind for. */
const resourceOf = ({ apiVersion = '', kind = '' }: KubernetesObject) => {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`
  return { group, version, kind, plural, namespaced: kind === 'ConfigMap' }
}

async function startPacer(plane: RealControlPlane): Promise<RunningCommand> {
  const how = admission === 'template' ? 'none' : admission
  const url = `https://127.0.0.1:${webhookPort}`
  const installed = how === 'policy' ? policyObjects(objects) : how === 'webhook' ? webhookObjects(objects, url) : []
  for (const object of installed)
    await plane.client.create(resourceOf(object), object.metadata?.namespace, object).catch((error: Error) => {
      if (!error.message.includes('already exists')) throw error
    })
  const pacer = run(
    [
      ...['pacer', '--kubeconfig', plane.kubeconfigOf('replica-a'), '--health-address', '0'],
      ...['--admission', how, '--leader-elect-resource-namespace', objects.namespace],
      ...['--webhook-address', `127.0.0.1:${webhookPort}`, '--webhook-hosts', '127.0.0.1'],
      ...(flag('--pacer-qps') === undefined ? [] : ['--kube-api-qps', flag('--pacer-qps')!, '--kube-api-burst', flag('--pacer-qps')!]),
    ],
    nodeFlags,
    imageVariables,
  )
  await pacer.prints('"leading"')
  return pacer
}

async function stopPacer(plane: RealControlPlane, pacer: RunningCommand): Promise<void> {
  await pacer.end('SIGTERM')
  const installed = admission === 'policy' ? policyObjects(objects) : admission === 'webhook' ? webhookObjects(objects) : []
  for (const object of installed)
    await plane.client.delete(resourceOf(object), { name: object.metadata!.name!, namespace: object.metadata?.namespace })
}

async function measure(plane: RealControlPlane, nodes: RunningCommand, isPaced: boolean, turn: number) {
  const { client } = plane
  const namespace = `${isPaced ? 'paced' : 'plain'}-${turn}`
  const pacer = isPaced ? await startPacer(plane) : undefined
  const requests = async () =>
    (await plane.audit()).filter(({ user, objectRef }) => user.username === 'replica-a' && objectRef?.resource !== 'leases')
  const before = (await requests()).length
  const settled = () =>
    until(
      'the Deployment has settled',
      async () => {
        if (!isRolledOut(await client.get(deployments, { namespace, name: 'web' }))) return false
        return (await client.list(pods, { namespace })).items.length === replicas
      },
      patienceMs,
    )
  await client.create(namespaces, undefined, {
    metadata: { name: namespace, ...(isPaced && admission !== 'template' && { labels: optIn }) },
  })
  const beginMs = realClock.now()
  await client.create(deployments, namespace, deployment(isPaced))
  await settled()
  const startedMs = realClock.now()
  const processes = { ...plane.processIds(), nodes: nodes.process.pid!, ...(pacer && { pacer: pacer.process.pid! }) }
  const usage = () => Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuSecondsOf(pid)]))
  const beforeCpu = usage()
  // Counted at every watch event.
  let gated = 0
  const { resourceVersion } = await client.list(pods, { namespace, limit: 1 })
  const stop = client.watch(
    pods,
    { namespace, resourceVersion },
    {
      onEvents: (events) => events.forEach(({ type, object }) => void (type === 'ADDED' && object.spec?.schedulingGates && gated++)),
      onEnd() {},
    },
  )
  await client.patch(deployments, { namespace, name: 'web' }, 'strategic', imagePatch('example/web:2'))
  await settled()
  const endedMs = realClock.now()
  stop()
  const cpu = Object.entries(usage()).map(([name, seconds]) => `${name} ${(seconds - beforeCpu[name]!).toFixed(1)}`)
  const made = (await requests()).slice(before)
  const byKind = made.reduce<Record<string, number>>((all, { verb, objectRef }) => {
    const key = `${verb} ${objectRef?.resource}`
    all[key] = (all[key] ?? 0) + 1
    return all
  }, {})
  await client.delete(namespaces, { name: namespace })
  await until('nothing is left', async () => (await client.list(pods, { namespace, limit: 1 })).items.length === 0, patienceMs)
  if (pacer !== undefined) await stopPacer(plane, pacer)
  return {
    isPaced,
    createSeconds: (startedMs - beginMs) / 1000,
    rollOutSeconds: (endedMs - startedMs) / 1000,
    cpu,
    gated,
    byKind,
  }
}

const limits =
  qps === 'stock' ? ['--kube-api-qps=20', '--kube-api-burst=30'] : [`--kube-api-qps=${qps}`, `--kube-api-burst=${2 * Number(qps)}`]
const start = async (plane: RealControlPlane) => {
  await plane.startControllerManager('*', { flags: limits })
  await plane.startScheduler({ flags: limits })
}
await withRealCluster(nodeCount, [], start, async (plane, nodes) => {
  const results: Awaited<ReturnType<typeof measure>>[] = []
  for (let turn = 0; turn < turns; turn++)
    // Each goes first in every other turn.
    for (const isPaced of turn % 2 === 0 ? [false, true] : [true, false]) {
      const result = await measure(plane, nodes, isPaced, turn)
      results.push(result)
      console.log(
        `${isPaced ? 'with   ' : 'without'} create ${result.createSeconds.toFixed(1)} s, roll out ${result.rollOutSeconds.toFixed(1)} s` +
          `; CPU s: ${result.cpu.join(', ')}; load ${loadavg()[0]!.toFixed(1)}` +
          (isPaced ? `; ${result.gated} pods gated; requests of the pacer: ${JSON.stringify(result.byKind)}` : ''),
      )
    }
  const middle = (isPaced: boolean, of: 'createSeconds' | 'rollOutSeconds') =>
    median(results.filter((result) => result.isPaced === isPaced).map((result) => result[of]))
  for (const of of ['createSeconds', 'rollOutSeconds'] as const)
    console.log(
      `${of === 'createSeconds' ? 'create  ' : 'roll out'} median of ${turns}: ${middle(false, of).toFixed(1)} s without, ${middle(true, of).toFixed(1)} s with the pacer, ratio ${(middle(true, of) / middle(false, of)).toFixed(2)}`,
    )
})
