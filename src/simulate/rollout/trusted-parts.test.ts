// What controllers, scheduler and nodes write goes a short way in a simulation: nothing that is stored tells.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { type Run, type RunOptions, runOnce } from './run-once.ts'

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const request: PlanRequest = { files: [], to: [], scale: [], faults: [], expect: [], command: '' }
const web = { ...request, files: [join(folder, 'web.yaml')], to: ['web=web:2'] }

const plans = [
  { name: 'a rollout', request: web },
  { name: 'a scaling meanwhile', request: { ...web, scale: ['4@3s', '12@20s'] } },
  { name: 'crashes, evictions and a drain', request: { ...web, faults: ['web:crash@2s', 'web:evict=3@5s', 'node-1:drain@9s'] } },
  { name: 'nodes that come and go', request: { ...web, nodes: '2x4cpu16Gi', autoscale: '2..6' } },
  ...['tight-nodes', 'quota', 'anti-affinity', 'long-grace-period', 'eviction', 'kep-5882/table-1'].map((name) => ({
    name,
    request: { ...request, files: [join(folder, `${name}.yaml`)] },
  })),
]

/** What became of each object. At one moment, different objects may be written in another order. */
async function play(given: PlanRequest, checksParts: boolean) {
  const plan = await makePlan(given)
  const lives = new Map<string, unknown[]>()
  let writes = 0
  const onWrite: RunOptions['onWrite'] = ({ verb, kind, key, object }, nowMs) => {
    const { resourceVersion: _, ...metadata } = object.metadata
    const name = `${kind.plural} ${key}`
    lives.set(name, [...(lives.get(name) ?? []), { verb, nowMs, object: { ...object, metadata } }])
    writes++
  }
  const { trace } = await runOnce({ plan, policy: 'TerminationComplete', seed: 3, checksParts, onWrite })
  return { trace, lives, writes }
}

/** At one moment, in no order. */
function inOrder(trace: Run['trace']) {
  const changes = trace.changes.map((change) => JSON.stringify(change))
  return { ...trace, changes: changes.sort() }
}

describe('runOnce()', () => {
  it.each(plans)('writes the same whether or not its own parts are checked: $name', { timeout: 60_000 }, async ({ request }) => {
    const checked = await play(request, true)
    const trusted = await play(request, false)
    expect(trusted.lives).toEqual(checked.lives)
    expect(inOrder(trusted.trace)).toEqual(inOrder(checked.trace))
    expect(trusted.writes).toBeGreaterThan(100)
  })
})
