// Clusters in virtual time: a start, a rollout, a day of operation and seeds of the swarm, in this thread; and whole commands.
// `--quick` is a tenth of the sizes; `start`, `rollout`, `simulate`, `day` and `swarm` name the rows; none is all.
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestCluster } from '../src/simulate/library/cluster-api.ts'
import { createCluster } from '../src/simulate/library/test-cluster.ts'
import { runSwarm } from '../src/simulate/swarm/swarm.ts'
import { planSwarm } from '../src/simulate/swarm/swarm-plan.ts'
import { deploymentOf, isRolledOut } from './deployments.ts'
import { type Spent, timed } from './measuring.ts'
import { number, printTable, type Row } from './table.ts'

const args = process.argv.slice(2)
const share = args.includes('--quick') ? 0.1 : 1
const names = ['start', 'rollout', 'simulate', 'day', 'swarm']
const wants = (name: string) => !names.some((one) => args.includes(one)) || args.includes(name)

const rows: Row[] = []

const load = () => `load ${number(loadavg()[0]!, 1)}`

/** The target is for one of `times` repetitions. Without `cpuMs`, another process did the work. */
function addRow(what: string, { wallMs, cpuMs }: Partial<Spent> & Pick<Spent, 'wallMs'>, targetMs: number, times = 1): void {
  const inUnit = (ms: number) => (targetMs < 1000 ? `${number(ms)} ms` : `${number(ms / 1000)} s`)
  rows.push({
    what,
    result: inUnit(wallMs / times),
    target: inUnit(targetMs),
    ratio: (targetMs * times) / wallMs,
    cost: cpuMs === undefined ? load() : `${inUnit(cpuMs / times)}, ${load()}`,
  })
}

const deployment = (name: string, replicas: number, image: string) => deploymentOf(name, replicas, { image, requests: { cpu: '10m' } })

const isComplete = (cluster: TestCluster, name: string) => async () => {
  const found = await cluster.get('deployment', name)
  return found !== undefined && isRolledOut(found) && !found.status?.terminatingReplicas
}

const writes = (cluster: TestCluster) => cluster.trace().length

async function measureStart(): Promise<void> {
  const start = async (count: number) => {
    for (let seed = 0; seed < count; seed++) await (await createCluster({ seed })).stop()
  }
  await start(10)
  const count = Math.max(10, 100 * share)
  addRow('a cluster starts and stops', await timed(() => start(count)), 15, count)
}

async function measureRollout(): Promise<void> {
  const replicas = 1000 * share
  const cluster = await createCluster({ nodes: Math.ceil(replicas / 100) + 1, invariants: false })
  for (const image of ['web:1', 'web:2', 'web:3']) {
    const before = writes(cluster)
    const spent = await timed(async () => {
      await cluster.apply(deployment('web', replicas, image))
      await cluster.until(isComplete(cluster, 'web'), { within: '3h' })
    })
    const count = writes(cluster) - before
    rows.push({
      what: `${number(replicas, 0)} replicas ${image === 'web:1' ? 'come up' : 'are replaced'}: a write`,
      result: `${number((spent.wallMs * 1000) / count)} µs`,
      cost: `${number((spent.cpuMs * 1000) / count)} µs of ${number(count, 0)} writes, ${load()}`,
    })
  }
  await cluster.stop()
}

/** The whole command, from its start to its end, with as many threads as it takes. */
function simulateRollout(replicas: number, runs: number): Pick<Spent, 'wallMs'> {
  const command = join(dirname(fileURLToPath(import.meta.url)), 'rollcall.mjs')
  const flags = ['simulate', '-f', '-', '--to', 'image=web:2', '--runs', String(runs)]
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [command, ...flags], {
    input: JSON.stringify(deployment('web', replicas, 'web:1')),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`rollcall simulate ended with ${status}: ${stderr}`)
  return { wallMs: performance.now() - start }
}

function measureSimulations(): void {
  const [thousand, many] = [1000 * share, 100 * share]
  addRow(`rollcall simulate: a rollout of ${number(thousand, 0)} replicas under 4 policies`, simulateRollout(thousand, 1), 3000)
  addRow(`rollcall simulate: ${number(many, 0)} runs of 50 replicas under 4 policies`, simulateRollout(50, many), 10_000)
  if (share < 1) return
  addRow('rollcall simulate: a rollout of 10,000 replicas under 4 policies', simulateRollout(10_000, 1), 60_000)
}

/** 1,000 pods, a CronJob a minute, two rollouts an hour, and a node that fails for half an hour. */
async function measureDay(): Promise<void> {
  const hours = Math.round(24 * share)
  const cluster = await createCluster({ nodes: 20, invariants: false })
  const replicas = 100
  for (let index = 0; index < 10; index++) await cluster.apply(deployment(`web-${index}`, replicas, 'web:1'))
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'busybox', command: ['sleep', '5'] }] } } },
      },
    },
  })
  const spent = await timed(async () => {
    for (let hour = 0; hour < hours; hour++) {
      await cluster.apply(deployment(`web-${(2 * hour) % 10}`, replicas, `web:${hour + 2}`))
      if (hour === 1) cluster.stopNode('node-1')
      await cluster.advance('30m')
      if (hour === 1) cluster.startNode('node-1')
      await cluster.apply(deployment(`web-${(2 * hour + 1) % 10}`, replicas, `web:${hour + 2}`))
      await cluster.advance('30m')
    }
  })
  addRow(`${hours} hours of a cluster of 1,000 pods`, spent, (30_000 * hours) / 24)
  await cluster.stop()
}

async function measureSwarm(): Promise<void> {
  const live = async (from: number, count: number) => {
    for (let seed = from; seed < from + count; seed++) {
      const { failure } = await runSwarm(planSwarm(seed))
      if (failure !== undefined) console.error(`Seed ${seed} fails: ${failure}`)
    }
  }
  await live(1, 10)
  const count = 200 * share
  addRow(`a seed of the swarm, of ${number(count, 0)}`, await timed(() => live(11, count)), 60, count)
}

if (wants('start')) await measureStart()
if (wants('rollout')) await measureRollout()
if (wants('simulate')) measureSimulations()
if (wants('day')) await measureDay()
if (wants('swarm')) await measureSwarm()
printTable(rows)
