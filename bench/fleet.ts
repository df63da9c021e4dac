// A large cluster on simulated nodes, in a process of its own: 100,000 pods on 5,000 nodes come up, are held, and a tenth of
// them are rolled out again while the others run. `--quick` is a tenth of it.
import { parseArgs } from 'node:util'
import { deployments, nodes } from '../src/api/kinds.ts'
import { deploymentOf, imagePatch, isRolledOut } from './deployments.ts'
import { pause } from './measuring.ts'
import { startOwnServer } from './started-server.ts'
import { number, printTable, type Row } from './table.ts'

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const scale = flags.quick ? 0.1 : 1
const [nodeCount, perDeployment, deploymentCount] = [5000 * scale, 5000 * scale, 20]
const settlingMs = 20_000
const maxMegabytes = 2000 * scale

const { server, client, stop } = await startOwnServer(nodeCount)
const rows: Row[] = []
let peakMegabytes = 0
const remember = () => {
  const { resident } = server.memoryMegabytes()
  peakMegabytes = Math.max(peakMegabytes, resident)
  return resident
}
const sampling = setInterval(remember, 500)

const names = Array.from({ length: deploymentCount }, (_, index) => `web-${index + 1}`)
const deployment = (name: string) => deploymentOf(name, perDeployment, { image: 'web:1', requests: { cpu: '100m', memory: '100Mi' } })
async function timed(work: () => Promise<unknown>, of: readonly string[]): Promise<{ readonly seconds: number; readonly cpu: number }> {
  const [start, cpu] = [performance.now(), server.cpuSeconds()]
  await work()
  for (;;) {
    const { items } = await client.list(deployments, { namespace: 'default' })
    const own = items.filter(({ metadata }) => of.includes(metadata.name))
    if (own.length === of.length && own.every(isRolledOut)) break
    await pause(500)
  }
  return { seconds: (performance.now() - start) / 1000, cpu: server.cpuSeconds() - cpu }
}
const cost = (cpu: number) => `${number(cpu)} s`

try {
  while ((await client.list(nodes, {})).items.length < nodeCount) await pause(200)
  const all = `${number(deploymentCount * perDeployment, 0)} pods on ${number(nodeCount, 0)} nodes`
  const up = await timed(() => Promise.all(names.map((name) => client.create(deployments, 'default', deployment(name)))), names)
  rows.push({ what: `${all}: create → all available`, result: `${number(up.seconds)} s`, cost: cost(up.cpu) })
  rows.push({ what: '  memory at the most on the way', result: `${number(peakMegabytes, 0)} MB` })
  await pause(settlingMs)
  const held = remember()
  rows.push({
    what: '  memory, held',
    result: `${number(held, 0)} MB`,
    target: `${number(maxMegabytes, 0)} MB`,
    ratio: maxMegabytes / held,
  })

  peakMegabytes = 0
  const rolled = names.slice(0, deploymentCount / 10)
  const rollout = await timed(
    () => Promise.all(rolled.map((name) => client.patch(deployments, { namespace: 'default', name }, 'strategic', imagePatch('web:2')))),
    rolled,
  )
  const what = `${rolled.length} of ${deploymentCount} Deployments are rolled out again`
  rows.push({ what, result: `${number(rollout.seconds)} s`, cost: cost(rollout.cpu) })
  rows.push({
    what: '  memory at the most meanwhile',
    result: `${number(peakMegabytes, 0)} MB`,
    target: `${number(maxMegabytes, 0)} MB`,
    ratio: maxMegabytes / peakMegabytes,
  })
} finally {
  clearInterval(sampling)
  await stop()
}
printTable(rows)
