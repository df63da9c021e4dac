import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { courseOf } from './course.ts'
import { makePlan, type PlanRequest } from './make-plan.ts'
import type { Plan, PlannedObject } from './plan.ts'
import { runOnce } from './run-once.ts'
import { simulate } from './simulate.ts'
import type { Trace } from './trace.ts'

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const request: PlanRequest = { files: [], to: [], scale: [], faults: [], expect: [], command: '' }
const web = { ...request, files: [join(folder, 'web.yaml')], to: ['web=web:2'] }

function recreated(plan: Plan): Plan {
  const change = ({ object, ...rest }: PlannedObject) => ({
    ...rest,
    object: { ...object, spec: { ...(object as { spec?: object }).spec, strategy: { type: 'Recreate' } } },
  })
  return { ...plan, objects: plan.objects.map(change) }
}

describe('courseOf()', () => {
  it('takes TerminationStarted for no policy, where nothing tells them apart', async () => {
    const plan = await makePlan(web)
    const [step] = plan.steps
    const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
    const check = (path: string) => ({ atMs: 0, text: '', action: { type: 'check' as const, target, expected: [{ path, value: 1 }] } })
    const cases = [
      plan,
      { ...plan, policies: ['TerminationStarted'] as const },
      recreated(plan),
      { ...plan, steps: [{ ...step!, policies: ['None'] as const }] },
      { ...plan, steps: [{ ...step!, policies: ['TerminationComplete'] as const }] },
      { ...plan, steps: [check('spec.podReplacementPolicy')] },
      { ...plan, steps: [check('status.replicas')] },
    ]
    expect(cases.map((one) => courseOf(one, 'TerminationStarted') === 'None')).toEqual([true, false, false, false, true, false, true])
    expect(courseOf(plan, 'TerminationComplete')).toBe('TerminationComplete')
    expect(courseOf(plan, 'TerminationComplete+terminatingAsActive')).toBe('TerminationComplete+terminatingAsActive')
  })
})

const plans = [
  { name: 'a rollout', request: web },
  { name: 'a scaling meanwhile', request: { ...web, scale: ['4@3s', '12@20s'] } },
  { name: 'evictions and a drain', request: { ...web, faults: ['web:evict=3@5s', 'node-1:drain@9s'] } },
  { name: 'nodes that come and go', request: { ...web, nodes: '2x4cpu16Gi', autoscale: '2..6' } },
  ...['tight-nodes', 'quota', 'anti-affinity', 'long-grace-period', 'eviction'].map((name) => ({
    name,
    request: { ...request, files: [join(folder, `${name}.yaml`)] },
  })),
]

describe('runOnce()', () => {
  it.each(plans)('lives the same life without a policy and under TerminationStarted: $name', { timeout: 60_000 }, async ({ request }) => {
    const plan = { ...(await makePlan(request)), policies: ['None', 'TerminationStarted'] as const }
    const changes = async (policy: 'None' | 'TerminationStarted') => {
      const { trace } = await runOnce({ plan, policy, seed: 1 })
      // The one is told of its policy after it has come up: that makes it one generation older.
      return trace.changes.map((change) => ('workload' in change ? { ...change, workload: { ...change.workload, ...ageless } } : change))
    }
    expect(await changes('TerminationStarted')).toEqual(await changes('None'))
  })

  it.each(plans)('lives the same life whether or not anybody reads the events: $name', { timeout: 60_000 }, async ({ request }) => {
    const plan = await makePlan(request)
    const told = await runOnce({ plan, policy: 'TerminationComplete', seed: 2 })
    const untold = await runOnce({ plan, policy: 'TerminationComplete', seed: 2, hasEvents: false })
    expect(untold.trace.endMs).toBe(told.trace.endMs)
    expect(untold.trace.changes).toEqual(told.trace.changes.filter((change) => !('event' in change)))
    expect(told.trace.changes.length).toBeGreaterThan(untold.trace.changes.length)
  })
})

const ageless = { generation: 0, observedGeneration: 0 }

describe('simulate()', () => {
  it('tells of both policies what one run has shown', async () => {
    const traces: Trace[] = []
    const result = await simulate(await makePlan(web), { workers: 0, onTrace: (trace) => void traces.push(trace) })
    expect(traces.map(({ policy }) => policy)).toEqual([
      'None',
      'TerminationStarted',
      'TerminationComplete',
      'TerminationComplete+terminatingAsActive',
    ])
    expect(result.outcomes.map(({ policy }) => policy)).toEqual(traces.map(({ policy }) => policy))
    expect(result.outcomes[1]!.measures).toEqual(result.outcomes[0]!.measures)
    expect(result.outcomes[2]!.measures).not.toEqual(result.outcomes[0]!.measures)
  })
})
