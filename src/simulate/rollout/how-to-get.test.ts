import { describe, expect, it } from 'vitest'
import { howToGet } from './how-to-get.ts'
import type { Plan } from './plan.ts'
import { comparedPolicies } from './result.ts'

const planOf = (names: readonly string[], more: Partial<Plan> = {}, spec = {}) =>
  ({
    objects: names.map((name) => ({ object: { kind: 'Deployment', metadata: { name, namespace: 'shop' }, spec } })),
    steps: [],
    ...more,
  }) as unknown as Plan
const annotated = (name: string) =>
  `kubectl annotate deployment ${name} --namespace shop rollcall.dev/pod-replacement-policy=TerminationComplete`

describe('howToGet()', () => {
  it('installs the pacer, and annotates each Deployment', () => {
    const lines = howToGet('Choose the pacer: it spares you 7 pods.', planOf(['a', 'b', 'c', 'd']))!
    expect(lines.filter((line) => line.startsWith('helm install rollcall-pacer'))).toHaveLength(1)
    expect(lines.slice(-4)).toEqual([annotated('a'), annotated('b'), annotated('c'), '# … and the other 1 in the same way.'])
  })

  it('annotates for rollcall controllers where the cluster may not have the field', () => {
    expect(howToGet('Choose TerminationComplete with terminatingAsActive: it …', planOf(['web']))).toEqual([
      '# Where rollcall controllers replaces the workload controllers (docs/real-clusters.md):',
      `${annotated('web')} rollcall.dev/terminating-as-active=true`,
    ])
  })

  it('sets the field where the cluster has it', () => {
    expect(howToGet('Choose TerminationComplete: it …', planOf(['web'], { clusterHasPolicies: true }))).toEqual([
      `kubectl patch deployment web --namespace shop --type merge --patch '{"spec":{"podReplacementPolicy":"TerminationComplete"}}'`,
    ])
  })

  it.each([
    ['no policy is chosen', 'Choose no policy: it …', {}],
    ['the current one is kept', 'Keep the pacer: the pods stay within the cap.', {}],
    ['the Deployment has it already', 'Choose TerminationComplete: it …', { podReplacementPolicy: 'TerminationComplete' }],
  ])('says nothing where %s', (_, advice, spec) => {
    expect(howToGet(advice, planOf(['web'], {}, spec))).toBeUndefined()
  })
})

describe('comparedPolicies()', () => {
  it.each([
    ['a manifest without a policy', [], undefined, ['None', 'Pacer']],
    ['a cluster with the field', [], true, ['None', 'TerminationComplete', 'Pacer']],
    ['a cluster without it', ['None'], false, ['None', 'Pacer']],
    ['a manifest with a policy', ['TerminationStarted'], undefined, ['None', 'TerminationStarted', 'TerminationComplete', 'Pacer']],
  ] as const)('of %s', (_, own, hasField, expected) => {
    expect(comparedPolicies(own, hasField)).toEqual(expected)
  })
})
