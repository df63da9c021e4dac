import { describe, expect, it } from 'vitest'
import { renderReport } from '../report/render-report.ts'
import { makePlan } from './make-plan.ts'
import { renderSummary } from './output/summary.ts'
import { simulate } from './simulate.ts'

const workload = (name: string, replicas: number) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: 'web:1' }] }
---
`
const budget = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1, selector: { matchLabels: { app: web } } }
`
const planWith = (text: string, more: Partial<Parameters<typeof makePlan>[0]>) =>
  makePlan({
    given: [{ name: 'web.yaml', text }],
    files: [],
    to: [],
    scale: [],
    startup: '10s',
    stop: '5s',
    faults: [],
    expect: [],
    within: '10m',
    command: '',
    nodes: '2x4cpu16Gi[pool=a],1x4cpu16Gi[pool=b]',
    ...more,
  })
const style = { width: 80, hasColour: false, isUtf8: true }

describe('--drain', () => {
  it('ends only with surge before eviction where a budget needs every pod', async () => {
    const result = await simulate(await planWith(workload('web', 1) + budget, { drain: 'pool=a', oneByOne: true }))
    const [plain, surge] = result.outcomes
    expect([plain!.policy, surge!.policy]).toEqual(['None', 'Pacer+evictions'])
    expect(plain!.measures.drainedAfterMs).toBeUndefined()
    expect(plain!.failures).toEqual([
      expect.stringMatching(/^ends: "drain node-1 and 1 more, one by one" has not ended, .*default\/web-\S+ \(budget web\)$/),
    ])
    expect(surge!.measures).toMatchObject({ lowestAvailability: 1, peakPods: 2, peakOverCap: 0, drains: 2 })
    expect(surge!.failures).toEqual([])
    const summary = renderSummary(result, style)
    expect(summary).toMatch(/^until drained +never +\d+s$/m)
    expect(summary).toContain('Choose the pacer with evictions: the drain ends after')
    expect(renderReport(result)).toContain('data-measure="drainedAfterMs"')
  })

  it('says how far the available pods fall without a budget', async () => {
    const result = await simulate(
      await planWith(workload('web', 1) + workload('api', 4), {
        drain: 'node-1,node-2',
        expect: ['availability >= 100%', 'drainedAfter <= 3m'],
      }),
    )
    const [plain, surge] = result.outcomes
    expect(plain!.measures.drainedAfterMs).toBeLessThan(surge!.measures.drainedAfterMs!)
    expect(plain!.measures.lowestAvailability).toBeLessThan(1)
    expect(plain!.failures).toEqual([expect.stringContaining('availability >= 100%')])
    expect(surge!.measures).toMatchObject({ lowestAvailability: 1, peakOverCap: 0 })
    expect(surge!.failures).toEqual([])
  })

  it.each([
    ['node-9', '--drain: there is no node "node-9". The nodes are node-1 to node-3'],
    ['pool=c', "--drain: no node has the labels pool=c. Give nodes labels in --nodes, such as '3x4cpu16Gi[pool=a]'"],
    ['node-1,pool=a', '--drain: cannot read "node-1,pool=a". Write names of nodes, or labels, not both'],
    [' ', '--drain: there is no node. Write node-1, or the labels of nodes, such as pool=a'],
  ])('refuses %s', async (drain, message) => {
    await expect(planWith(workload('web', 1), { drain })).rejects.toThrow(message)
  })
})
