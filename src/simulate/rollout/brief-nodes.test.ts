// Nodes that tell little: what is measured is the same as with nodes that report all that a kubelet would.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makePlan } from './make-plan.ts'
import { measureTrace } from './measure.ts'
import { runOnce } from './run-once.ts'

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const request = { files: [], to: [], scale: [], faults: [], expect: [], command: '' }
const web = [join(folder, 'web.yaml')]

const plans = [
  { name: 'tight nodes', request: { ...request, files: [join(folder, 'tight-nodes.yaml')] } },
  { name: 'evictions', request: { ...request, files: [join(folder, 'eviction.yaml')] } },
  { name: 'pods that come and go in one moment', request: { ...request, files: [join(folder, 'long-grace-period.yaml')] } },
  { name: 'scaling down while pods start', request: { ...request, files: web, to: ['web=web:2'], scale: ['4@3s', '12@20s'] } },
  {
    name: 'a crash and a node that falls silent',
    request: { ...request, files: web, to: ['web=web:2'], faults: ['web:crash@8s', 'node-1:down@10s'] },
  },
]

describe('runOnce()', () => {
  it.each(plans)('measures the same with nodes that tell little: $name', { timeout: 60_000 }, async ({ request }) => {
    const plan = await makePlan(request)
    for (const policy of ['None', 'TerminationComplete', 'TerminationComplete+terminatingAsActive'] as const) {
      let [writes, fewer] = [0, 0]
      const all = await runOnce({ plan, policy, seed: 1, writesAll: true, onWrite: () => writes++ })
      const brief = await runOnce({ plan, policy, seed: 1, onWrite: () => fewer++ })
      expect(measureTrace(brief.trace)).toEqual(measureTrace(all.trace))
      expect(fewer).toBeLessThan(writes)
    }
  })
})
