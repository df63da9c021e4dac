import { describe, expect, it } from 'vitest'
import { describeChange, type Plan } from './plan.ts'

const object = { kind: 'Deployment', metadata: { name: 'web' } }
const plan = (policies: Plan['policies']) => ({
  objects: [{ object, place: { source: 'web.yaml' } }] as unknown as Plan['objects'],
  policies,
  steps: [
    { atMs: 0, text: 'Deployment/web: web=web:2' },
    { atMs: 120_000, text: 'Deployment/web: 12 replicas', policies: ['TerminationComplete', 'Pacer'] },
    { atMs: 180_000, text: 'a check', action: { type: 'check' } },
  ].map((step) => ({ action: { type: 'restart' }, ...step })) as unknown as Plan['steps'],
})

describe('describeChange()', () => {
  it.each([
    [
      ['None', 'TerminationComplete'],
      ['web=web:2', '12 replicas at 2m 00s (TerminationComplete only)'],
    ],
    [
      ['TerminationComplete', 'Pacer'],
      ['web=web:2', '12 replicas at 2m 00s'],
    ],
    [['None'], ['web=web:2']],
  ] as const)('says under which of the policies %j a step happens', (policies, change) => {
    expect(describeChange(plan(policies))).toEqual(change)
  })
})
