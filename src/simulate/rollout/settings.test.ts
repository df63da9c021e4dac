import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import type { Plan } from './plan.ts'
import {
  applySettings,
  combinationsOf,
  mergeChoices,
  parseChoice,
  patchFor,
  policyOf,
  searchedChoices,
  settingsWithoutEffect,
} from './settings.ts'

const object = (kind: string) =>
  ({
    kind,
    metadata: { name: 'web' },
    spec: { replicas: 10, template: { spec: { containers: [{ name: 'a', image: 'web:1' }, { name: 'b' }] } } },
  }) as unknown as KubernetesObject

const applied = (kind: string, setting: string, value: string) => {
  const [combination] = combinationsOf([parseChoice(`${setting}=${value}`) as never], ['None'])
  const plan = { objects: [{ object: object(kind), place: { source: 'web.yaml' } }], steps: [] } as unknown as Plan
  return (applySettings(plan, combination!).objects[0]!.object as unknown as { spec: unknown }).spec
}

describe('parseChoice()', () => {
  it.each([
    ['maxSurge=0,25%,50%', { setting: 'maxSurge', values: ['0', '25%', '50%'] }],
    ['preStop=5s, 30s', { setting: 'preStop', values: ['5s', '30s'] }],
    ['policy=None,Pacer', { setting: 'policy', values: ['None', 'Pacer'] }],
  ])('reads %s', (text, choice) => expect(parseChoice(text)).toEqual(choice))

  it.each([
    ['surge=1', /unknown setting "surge". The settings are maxSurge/],
    ['maxSurg=1', /unknown setting "maxSurg". Did you mean maxSurge\? The settings/],
    ['maxSurge', /maxSurge needs values. Write maxSurge=0,25%,50%/],
    ['maxSurge=some', /cannot read "some" for maxSurge/],
    ['preStop=5', /cannot read "5" for preStop/],
    ['policy=Never', /cannot read "Never" for policy/],
  ])('refuses %s', (text, message) => expect(parseChoice(text)).toMatch(message))
})

describe('combinationsOf()', () => {
  it('has every value of a setting with every value of the others, each once', () => {
    const choices = mergeChoices(['maxSurge=0', 'maxUnavailable=0%,1,1', 'maxSurge=1,0'].map((text) => parseChoice(text) as never))
    expect(combinationsOf(choices, ['None']).map(({ values }) => values.map(({ value }) => value).join(' '))).toEqual([
      '0 0%',
      '0 1',
      '1 0%',
      '1 1',
    ])
  })

  it('runs each under every requested policy', () => {
    expect(combinationsOf([parseChoice('policy=None,Pacer') as never, parseChoice('maxSurge=1,2') as never], ['None'])).toHaveLength(4)
  })
})

describe('applySettings()', () => {
  const named = (name: string, kind = 'Deployment') => ({
    object: { ...object(kind), metadata: { name } } as KubernetesObject,
    place: { source: 'all.yaml' },
  })
  const changedBy = (...actions: readonly object[]) => {
    const objects = [named('db', 'StatefulSet'), named('web'), named('api')]
    const plan = { objects, steps: actions.map((action) => ({ atMs: 0, text: '', action })) } as unknown as Plan
    const { objects: applied, steps } = applySettings(plan, { policy: 'None', values: [{ setting: 'minReadySeconds', value: '7' }] })
    const later = steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))
    const isSet = ({ object: one }: { readonly object: KubernetesObject }) => JSON.stringify(one).includes('"minReadySeconds":7')
    return [...applied, ...later].filter(isSet).map(({ object: one }) => one.metadata?.name)
  }
  const target = { kind: 'Deployment', namespace: 'default', name: 'web' }

  it('changes the workloads that the plan changes, and all where it changes none', () => {
    expect(changedBy({ type: 'image', target, image: 'web:2' })).toEqual(['web'])
    expect(changedBy({ type: 'restart', target }, { type: 'evict', target: { ...target, name: 'api' } })).toEqual(['web'])
    expect(changedBy()).toEqual(['db', 'web', 'api'])
    expect(changedBy({ type: 'drain', node: 'node-1' })).toEqual(['db', 'web', 'api'])
  })

  it('finds what new manifests change and add', () => {
    const web = named('web')
    const next = { ...web, object: { ...web.object, spec: { replicas: 3 } } as unknown as KubernetesObject }
    expect(changedBy({ type: 'apply', objects: [named('api'), next, named('new')] })).toEqual(['web', 'web', 'new'])
  })
})

describe('a setting', () => {
  it.each([
    ['Deployment', 'maxSurge', '25%', { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } }],
    ['DaemonSet', 'maxUnavailable', '2', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } }],
    ['Deployment', 'minReadySeconds', '10', { minReadySeconds: 10 }],
    ['StatefulSet', 'gracePeriod', '1m', { template: { spec: { terminationGracePeriodSeconds: 60 } } }],
    [
      'Deployment',
      'preStop',
      '5s',
      {
        template: {
          spec: {
            containers: [
              { name: 'a', lifecycle: { preStop: { sleep: { seconds: 5 } } } },
              { name: 'b', lifecycle: { preStop: { sleep: { seconds: 5 } } } },
            ],
          },
        },
      },
    ],
  ])('of a %s: %s=%s', (kind, setting, value, spec) => expect(applied(kind, setting, value)).toMatchObject(spec))

  it.each(['maxSurge', 'maxUnavailable'])('is left out where the kind does not have it: %s of a StatefulSet', (setting) => {
    expect(applied('StatefulSet', setting, '1')).toEqual((object('StatefulSet') as unknown as { spec: unknown }).spec)
    const choices = [parseChoice(`${setting}=1,2`) as never, parseChoice('minReadySeconds=1') as never]
    const planned = (kind: string) => ({ object: object(kind), place: { source: 'web.yaml' } }) as never
    expect(settingsWithoutEffect(choices, [planned('StatefulSet')])).toEqual([setting])
    expect(settingsWithoutEffect(choices, [planned('StatefulSet'), planned('DaemonSet')])).toEqual([])
  })
})

describe('patchFor() and the annotation of the pacer', () => {
  const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
  const paced = { ...object('Deployment'), metadata: { name: 'web', annotations } } as KubernetesObject
  it('changes nothing where the object has it', () => {
    expect(policyOf(paced)).toBe('Pacer')
    expect(patchFor(paced, { policy: 'Pacer', values: [] })).toEqual({ spec: {} })
  })
  it('removes it for another policy', () => {
    const removed = { annotations: { 'rollcall.dev/pod-replacement-policy': null } }
    expect(patchFor(paced, { policy: 'None', values: [] })).toEqual({ metadata: removed, spec: {} })
  })
})

describe('policyOf()', () => {
  it.each([
    [{}, 'None'],
    [{ podReplacementPolicy: 'TerminationStarted' }, 'TerminationStarted'],
    [{ podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true }, 'TerminationComplete+terminatingAsActive'],
    [{ terminatingAsActive: true }, 'TerminationComplete+terminatingAsActive'],
  ] as const)('reads %o as %s, which then changes nothing', (spec, policy) => {
    const own = { kind: 'Deployment', spec } as KubernetesObject
    expect(policyOf(own)).toBe(policy)
    expect(patchFor(own, { policy, values: [] })).toEqual({ spec: {} })
  })
})

describe('patchFor()', () => {
  it('has only what changes, with the policy', () => {
    const values = [{ setting: 'maxSurge' as const, value: '3' }]
    expect(patchFor(object('Deployment'), { policy: 'TerminationComplete', values })).toEqual({
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } }, podReplacementPolicy: 'TerminationComplete' },
    })
    expect(patchFor(object('Deployment'), { policy: 'Pacer', values: [] })).toEqual({
      metadata: { annotations: { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' } },
      spec: {},
    })
    expect(patchFor(object('DaemonSet'), { policy: 'TerminationComplete', values })).toEqual({
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } },
    })
  })

  it.each([
    ['None', { podReplacementPolicy: null, terminatingAsActive: null }],
    ['Pacer', { podReplacementPolicy: null, terminatingAsActive: null }],
    ['TerminationComplete', { terminatingAsActive: null }],
    ['TerminationComplete+terminatingAsActive', {}],
  ] as const)('replaces the policy that the object has by %s', (policy, spec) => {
    const own = { kind: 'Deployment', spec: { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true } }
    expect((patchFor(own as KubernetesObject, { policy, values: [] }) as { spec: unknown }).spec).toEqual(spec)
  })
})

describe('searchedChoices()', () => {
  it('tries values once that come to the same number of pods', () => {
    expect(searchedChoices(2, () => 'current')).toEqual([
      { setting: 'maxSurge', values: ['0', '1', '100%'] },
      { setting: 'maxUnavailable', values: ['0', '1'] },
    ])
    // Of 4 pods, 25% is 1.
    expect(searchedChoices(4, () => '25%')[1]).toEqual({ setting: 'maxUnavailable', values: ['25%', '0', '50%'] })
  })
})
