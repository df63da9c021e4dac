import { describe, expect, it } from 'vitest'
import { parseExpectation } from '../expectations.ts'
import type { Plan } from '../plan.ts'
import type { SimulationResult } from '../result.ts'
import { renderJunit } from './junit.ts'

const stuck = 'completes: Deployment shop/web has 1 of 4 replicas available, after 1h 00m'
const result = {
  title: 'Deployment shop/web',
  outcomes: [{ policy: 'None', failures: [stuck, 'web: completesWithin 90s: it did not happen within the run'] }],
} as unknown as SimulationResult
const plan = (workload?: object) =>
  ({
    expectations: [
      { ...(parseExpectation('completesWithin 90s') as object), text: 'web: completesWithin 90s', ...(workload && { workload }) },
    ],
  }) as unknown as Plan

describe('renderJunit()', () => {
  it('has a case for completion beside an expectation about the completion of one workload', () => {
    const junit = renderJunit(plan({ kind: 'Deployment', namespace: 'shop', name: 'web' }), result, 1)
    expect(junit).toContain('tests="2" failures="2"')
    expect(junit).toContain(`<failure message="${stuck}"`)
  })

  it('has none where an expectation about all of them decides', () => {
    const passed = { ...result, outcomes: [{ ...result.outcomes[0]!, failures: [] }] }
    expect(renderJunit(plan(), passed, 1)).toContain('tests="1" failures="0"')
  })
})
