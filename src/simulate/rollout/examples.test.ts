// The examples are what they say: each is played, and its expectations are met, and could fail.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { simulate } from './simulate.ts'

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const scenarios = [
  'tight-nodes.yaml',
  'quota.yaml',
  'anti-affinity.yaml',
  'long-grace-period.yaml',
  'eviction.yaml',
  ...readdirSync(join(folder, 'kep-5882'))
    .filter((name) => name.startsWith('table-'))
    .sort()
    .map((name) => join('kep-5882', name)),
]
const request: PlanRequest = { files: [], to: [], scale: [], faults: [], expect: [], command: 'rollcall simulate' }

describe('examples/simulate', () => {
  it('has the five situations and the three tables', () => {
    expect(scenarios).toHaveLength(8)
  })

  it.each(scenarios)('%s meets its expectations', { timeout: 60_000 }, async (name) => {
    const plan = await makePlan({ ...request, files: [join(folder, name)] })
    expect(plan.expectations.length).toBeGreaterThan(0)
    const result = await simulate(plan)
    expect(result.outcomes.flatMap(({ policy, failures }) => failures.map((line) => `${policy}: ${line}`))).toEqual([])
  })

  it('buys no node for tight-nodes.yaml with the pacer, as with TerminationComplete', { timeout: 60_000 }, async () => {
    const plan = await makePlan({ ...request, files: [join(folder, 'tight-nodes.yaml')], policies: 'None,TerminationComplete,Pacer' })
    const { outcomes } = await simulate(plan)
    const shown = outcomes.map(({ measures: { peakNodes, peakOverCap, peakWaiting = 0, waitedForRoom } }) => [
      peakNodes,
      peakOverCap,
      peakWaiting > 0,
      waitedForRoom > 0,
    ])
    expect(shown).toEqual([
      [5, 7, false, true],
      [4, 0, false, false],
      [4, 0, true, false],
    ])
  })

  it('paces evicted pods', { timeout: 60_000 }, async () => {
    const evicted = await makePlan({ ...request, files: [join(folder, 'eviction.yaml')], policies: 'Pacer' })
    expect((await simulate({ ...evicted, expectations: [] })).outcomes[0]).toMatchObject({ measures: { peakOverCap: 0 }, failures: [] })
  })

  it('takes no longer with the pacer where pods terminate at once', { timeout: 120_000 }, async () => {
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 1000,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } },
      },
    }
    const given = [{ name: 'web.json', text: JSON.stringify(web) }]
    const timing = { startup: '2s', stop: '0s', to: ['image=example/web:2'] }
    const { outcomes } = await simulate(await makePlan({ ...request, ...timing, given, policies: 'None,Pacer' }))
    const [without = 0, paced = 0] = outcomes.map(({ measures }) => measures.completeAfterMs)
    expect(paced).toBeLessThanOrEqual(1.1 * without)
    expect(outcomes[1]?.measures).toMatchObject({ peakOverCap: 0, peakWaiting: expect.any(Number) })
  })

  it('notices when the policy does not do what it should', { timeout: 60_000 }, async () => {
    const plan = await makePlan({ ...request, files: [join(folder, 'kep-5882/table-2.yaml')], policies: 'None' })
    const result = await simulate({ ...plan, expectations: [] })
    expect(result.outcomes[0]!.failures[0]).toBe('at 34s: spec.replicas of ReplicaSet/web-1 is 60, not 50')
  })
})
