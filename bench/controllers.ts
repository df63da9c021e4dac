// The workload controllers of Rollcall and of kube-controller-manager on one real kube-apiserver, in turns: time, CPU, memory
// and writes of the process that runs them. FOLDER has the programs that scripts/build-kubernetes.sh builds.
//
//   npm run bench -- controllers FOLDER [--quick] [--turns N] [--sizes 1x1000,200x20] [--only rollcall] [--profile FOLDER]
//   npm run bench -- controllers FOLDER --held 500x20
//
// --held creates that many Deployments and replicas, and measures a process that is started when they have settled: the time
// until its caches have synced, and its memory then and after ten seconds.
// --profile writes a CPU profile of each process of Rollcall.
import type { ChildProcess } from 'node:child_process'
import { loadavg } from 'node:os'
import { deployments, namespaces, pods } from '../src/api/kinds.ts'
import type { Deployment } from '../src/api/types.ts'
import { realClock } from '../src/base/clock.ts'
import type { HttpClient } from '../src/client/http-client.ts'
import { type RealControlPlane, type TestUser, withoutWorkloadControllers } from '../test/real-cluster/real-control-plane.ts'
import { pause, run, until } from '../test/real-cluster/running-command.ts'
import { deploymentOf, imagePatch, isRolledOut } from './deployments.ts'
import { cpuSecondsOf, megabytesOf } from './measuring.ts'
import { args, flag, imageVariables, nodeFlags, patienceMs, profiles, withRealCluster } from './real-cluster.ts'

const isQuick = args.includes('--quick')
const turns = Number(flag('--turns') ?? 2)
const only = flag('--only')
const namespace = 'bench'
const sizes = flag('--sizes') ?? (isQuick ? '1x100,20x5' : '1x1000,200x20')
const scenarios = sizes.split(',').map((size) => size.split('x').map(Number) as [number, number])
/** Pods of one revision and of the next, terminating ones too, on nodes of 110 pods each. */
const nodeCount = isQuick ? 10 : 100

interface Contender {
  readonly name: string
  readonly user: TestUser
  start(plane: RealControlPlane): Promise<ChildProcess>
}

const allContenders: readonly Contender[] = [
  {
    name: 'rollcall',
    user: 'replica-a',
    async start(plane) {
      const limits = ['--kube-api-qps', '100000', '--kube-api-burst', '100000', '--controllers', 'deployment,replicaset']
      const controllers = run(
        [
          ...['controllers', '--kubeconfig', plane.kubeconfigOf('replica-a'), '--health-address', '0'],
          ...['--no-preflight', '--no-leader-elect', ...limits],
        ],
        nodeFlags,
        imageVariables,
      )
      await controllers.prints('caches have synced')
      return controllers.process
    },
  },
  {
    name: 'kube-controller-manager',
    user: 'replica-b',
    start: (plane) =>
      plane.startControllerManager('deployment-controller,replicaset-controller', {
        user: 'replica-b',
        flags: ['--kube-api-qps=100000', '--kube-api-burst=100000'],
      }),
  },
]

const contenders = allContenders.filter(({ name }) => only === undefined || name === only)

const usageOf = ({ pid }: ChildProcess) => ({
  cpuSeconds: cpuSecondsOf(pid!),
  peakMb: megabytesOf(pid!, 'VmHWM'),
  residentMb: megabytesOf(pid!, 'VmRSS'),
})

const deployment = (name: string, replicas: number) =>
  deploymentOf(name, replicas, { spec: { terminationGracePeriodSeconds: 1 } }) as Deployment

const allSettled = (client: HttpClient, count: number) =>
  until(
    'every Deployment has settled',
    async () => {
      const { items } = await client.list(deployments, { namespace })
      return items.length === count && items.every(isRolledOut)
    },
    patienceMs,
  )

async function measure(plane: RealControlPlane, client: HttpClient, contender: Contender, count: number, replicas: number) {
  const writes = async () =>
    (await plane.audit()).filter(
      ({ user, verb, objectRef }) =>
        user.username === contender.user && !['get', 'list', 'watch'].includes(verb) && objectRef?.resource !== 'leases',
    )
  const before = (await writes()).length
  const process = await contender.start(plane)
  // A manager that has just started still does work of its own.
  await until('it controls', async () => {
    await client.create(deployments, namespace, deployment('first', 0)).catch(() => {})
    return isRolledOut(await client.get(deployments, { namespace, name: 'first' }))
  })
  const names = Array.from({ length: count }, (_, index) => `web-${index}`)
  const startedMs = realClock.now()
  const beforeCpu = usageOf(process).cpuSeconds
  const settled = () => allSettled(client, count + 1)
  const each = (change: (name: string) => Promise<unknown>) => Promise.all(names.map(change))
  await each((name) => client.create(deployments, namespace, deployment(name, replicas)))
  await settled()
  const createdMs = realClock.now()
  await each((name) => client.patch(deployments, { namespace, name }, 'strategic', imagePatch('example/web:2')))
  await settled()
  const rolledOutMs = realClock.now()
  await each((name) => client.patch(deployments, { namespace, name }, 'merge', { spec: { replicas: 0 } }))
  await settled()
  const endedMs = realClock.now()
  const { cpuSeconds, peakMb } = usageOf(process)
  // A profile is written at the end of a process.
  process.kill(profiles === undefined ? 'SIGKILL' : 'SIGTERM')
  await client.deleteCollection(deployments, { namespace })
  await until('nothing is left', async () => {
    const left = await Promise.all([client.list(deployments, { namespace }), client.list(pods, { namespace, limit: 1 })])
    return left.every(({ items }) => items.length === 0)
  })
  const made = (await writes()).slice(before)
  const isEvent = ({ objectRef }: (typeof made)[number]) => objectRef?.resource === 'events'
  return {
    createSeconds: (createdMs - startedMs) / 1000,
    rollOutSeconds: (rolledOutMs - createdMs) / 1000,
    toZeroSeconds: (endedMs - rolledOutMs) / 1000,
    cpuSeconds: cpuSeconds - beforeCpu,
    peakMb,
    writes: made.filter((event) => !isEvent(event)).length,
    events: made.filter(isEvent).length,
    /** How many requests of each kind there were, and how many of them were refused. */
    byKind: Object.entries(
      made.reduce<Record<string, number>>((all, { verb, objectRef, responseStatus }) => {
        const path = [objectRef?.resource, objectRef?.subresource].filter((part) => part !== undefined).join('/')
        const key = `${verb} ${path}${(responseStatus?.code ?? 0) >= 400 ? ` (${responseStatus?.code})` : ''}`
        all[key] = (all[key] ?? 0) + 1
        return all
      }, {}),
    ).sort(([, a], [, b]) => b - a),
  }
}

async function measureHeld(plane: RealControlPlane, client: HttpClient, count: number, replicas: number): Promise<void> {
  const [contender] = allContenders
  const first = await contender!.start(plane)
  const names = Array.from({ length: count }, (_, index) => `web-${index}`)
  await Promise.all(names.map((name) => client.create(deployments, namespace, deployment(name, replicas))))
  await allSettled(client, count)
  const atCreation = usageOf(first)
  first.kill('SIGKILL')
  const startedMs = realClock.now()
  const second = await contender!.start(plane)
  const syncedMs = realClock.now()
  const atSync = usageOf(second)
  await pause(10_000)
  const later = usageOf(second)
  second.kill('SIGKILL')
  console.table([
    {
      held: `${count} x ${replicas}`,
      'peak MB while created': atCreation.peakMb.toFixed(0),
      'started to synced s': ((syncedMs - startedMs) / 1000).toFixed(1),
      'CPU s to synced': atSync.cpuSeconds.toFixed(1),
      'MB at sync': atSync.residentMb.toFixed(0),
      'MB 10 s later': later.residentMb.toFixed(0),
      'peak MB': later.peakMb.toFixed(0),
    },
  ])
}

// kube-controller-manager runs everything but the workload controllers: nodes, namespaces, garbage.
const start = (plane: RealControlPlane) => plane.startControllerManager(withoutWorkloadControllers)
await withRealCluster(nodeCount, ['--scheduler'], start, async (plane) => {
  const { client } = plane
  await client.create(namespaces, undefined, { metadata: { name: namespace } })
  const rows: object[] = []
  const held = flag('--held')?.split('x').map(Number)
  if (held !== undefined) await measureHeld(plane, client, held[0]!, held[1]!)
  for (const [count, replicas] of held === undefined ? scenarios : [])
    for (let turn = 1; turn <= turns; turn++)
      // The order alternates: the first to run finds a server that is still warming up.
      for (const contender of turn % 2 === 1 ? contenders : contenders.toReversed()) {
        const result = await measure(plane, client, contender, count, replicas)
        console.log(`${count} x ${replicas}, ${contender.name}: ${result.byKind.map(([what, times]) => `${times} ${what}`).join(', ')}`)
        const row = {
          deployments: `${count} x ${replicas}`,
          controllers: contender.name,
          'create s': result.createSeconds.toFixed(1),
          'roll out s': result.rollOutSeconds.toFixed(1),
          'to zero s': result.toZeroSeconds.toFixed(1),
          'CPU s': result.cpuSeconds.toFixed(1),
          'peak MB': result.peakMb.toFixed(0),
          writes: result.writes,
          events: result.events,
        }
        // Each result is also printed at once: a run takes long, and may be ended early.
        console.log(JSON.stringify(row))
        rows.push(row)
      }
  if (rows.length > 0) console.table(rows)
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
})
