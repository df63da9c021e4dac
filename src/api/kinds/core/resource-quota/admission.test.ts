import { describe, expect, it } from 'vitest'
import { formatQuantity } from '../../../../base/quantity.ts'
import { pods, resourceQuotas } from '../../../kinds.ts'
import type { Pod, ResourceQuota } from '../../../types.ts'
import { planCharges } from './admission.ts'
import { quotaMeasureOf } from './measures.ts'
import { chargedUntilMs, podAmounts, readList } from './pod-usage.ts'
import { claimMatchesScope, podMatchesScope } from './scopes.ts'

const container = (name: string, requests: object, limits: object = {}, more: object = {}) => ({
  name,
  resources: { requests, limits },
  ...more,
})
const pod = (spec: object, status: object = {}, metadata: object = {}) => ({ metadata, spec, status }) as unknown as Pod

describe('podAmounts()', () => {
  for (const [name, subject, expected] of [
    ['a pod that asks for nothing', pod({ containers: [{ name: 'c' }] }), { pods: '1' }],
    [
      'containers side by side',
      pod({ containers: [container('a', { cpu: '1', memory: '1Gi' }, { cpu: '2' }), container('b', { cpu: '500m' })] }),
      { pods: '1', cpu: '1500m', 'requests.cpu': '1500m', memory: '1Gi', 'requests.memory': '1Gi', 'limits.cpu': '2' },
    ],
    [
      'an init container that needs more, beside a sidecar',
      pod({
        containers: [container('a', { cpu: '1' })],
        initContainers: [container('s', { cpu: '1' }, {}, { restartPolicy: 'Always' }), container('i', { cpu: '3' })],
      }),
      { pods: '1', cpu: '4', 'requests.cpu': '4' },
    ],
    [
      'overhead, and limits that grow with it',
      pod({ containers: [container('a', { cpu: '1' }, { cpu: '2' })], overhead: { cpu: '250m', memory: '64Mi' } }),
      { pods: '1', cpu: '1250m', 'requests.cpu': '1250m', memory: '64Mi', 'requests.memory': '64Mi', 'limits.cpu': '2250m' },
    ],
    [
      'resources of the pod as a whole',
      pod({ containers: [container('a', { cpu: '1' })], resources: { requests: { cpu: '3' }, limits: { cpu: '4' } } }),
      { pods: '1', cpu: '3', 'requests.cpu': '3', 'limits.cpu': '4' },
    ],
    [
      'huge pages and extended resources, by their requests',
      pod({ containers: [container('a', { 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2', 'kubernetes.io/own': '1' })] }),
      { pods: '1', 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' },
    ],
    [
      'a container that is being made smaller',
      pod(
        { containers: [container('a', { cpu: '1' })] },
        { containerStatuses: [{ name: 'a', resources: { requests: { cpu: '3' } }, allocatedResources: { cpu: '2' } }] },
      ),
      { pods: '1', cpu: '3', 'requests.cpu': '3' },
    ],
    [
      'a container that cannot be made larger',
      pod(
        { containers: [container('a', { cpu: '9' })] },
        {
          conditions: [{ type: 'PodResizePending', reason: 'Infeasible' }],
          containerStatuses: [{ name: 'a', resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '1' } }],
        },
      ),
      { pods: '1', cpu: '1', 'requests.cpu': '1' },
    ],
  ] as const)
    it(name, () =>
      expect(Object.fromEntries([...podAmounts(subject)].map(([each, amount]) => [each, formatQuantity(amount)]))).toEqual(expected),
    )
})

describe('chargedUntilMs()', () => {
  const going = { deletionTimestamp: '2026-11-01T12:00:00Z', deletionGracePeriodSeconds: 30 }
  for (const [name, subject, expected] of [
    ['a pod that runs', pod({}, { phase: 'Running' }), Number.POSITIVE_INFINITY],
    ['a pod that has ended', pod({}, { phase: 'Succeeded' }), Number.NEGATIVE_INFINITY],
    ['a pod that goes', pod({}, { phase: 'Running' }, going), Date.UTC(2026, 10, 1, 12, 0, 30)],
  ] as const)
    it(name, () => expect(chargedUntilMs(subject)).toBe(expected))
})

describe('podMatchesScope()', () => {
  it('recognises pods with affinity to other namespaces', () => {
    const scope = { scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }
    const near = (term: object) =>
      pod({ affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term }] } } })
    expect(podMatchesScope(scope, near({ topologyKey: 'x' }))).toBe(false)
    expect(podMatchesScope(scope, near({ namespaces: ['other'] }))).toBe(true)
    expect(podMatchesScope(scope, near({ namespaceSelector: {} }))).toBe(true)
  })
})

describe('claimMatchesScope()', () => {
  it('counts every class that the claim has or requests', () => {
    const claim = { spec: { volumeAttributesClassName: 'gold' }, status: { currentVolumeAttributesClassName: 'tin' } } as never
    const scope = (operator: string, ...values: string[]) => ({ scopeName: 'VolumeAttributesClass', operator, values })
    expect(claimMatchesScope(scope('In', 'tin'), claim)).toBe(true)
    expect(claimMatchesScope(scope('In', 'lead'), claim)).toBe(false)
    expect(claimMatchesScope(scope('Exists'), {} as never)).toBe(false)
    expect(claimMatchesScope(scope('NotIn', 'gold'), {} as never)).toBe(true)
  })
})

describe('planCharges()', () => {
  const measure = quotaMeasureOf(pods as never)!
  const quota = (hard: object) => ({ metadata: { name: 'q' }, spec: { hard } }) as ResourceQuota
  const one = pod({ containers: [container('a', { cpu: '1' })] })
  const two = pod({ containers: [container('a', { cpu: '2' })] })

  it('charges an update with the difference, and nothing for less', () => {
    const plan = (object: Pod, current: Pod) =>
      planCharges([{ quota: quota({ cpu: '5' }), used: readList({ cpu: '4' }) }], { measure, object, current, nowMs: 0 })
    expect(plan(two, one)).toEqual({ charges: [readList({ cpu: '1' })] })
    expect(plan(one, two)).toEqual({ charges: [undefined] })
  })

  it('accepts an object that adds nothing to a quota that is already exceeded', () =>
    expect(
      planCharges([{ quota: quota({ 'limits.cpu': '1', 'count/pods': '9' }), used: readList({ 'limits.cpu': '5' }) }], {
        measure,
        object: pod({ containers: [container('a', {}, { cpu: '0' })] }),
        nowMs: 0,
      }),
    ).toEqual({ charges: [readList({ 'count/pods': '1' })] }))

  it('measures no Events, and quotas themselves', () => {
    expect(quotaMeasureOf({ group: '', plural: 'events', namespaced: true })).toBeUndefined()
    expect(quotaMeasureOf({ group: '', plural: 'nodes', namespaced: false })).toBeUndefined()
    expect(quotaMeasureOf(resourceQuotas as never)?.tracks('resourcequotas')).toBe(true)
    expect(quotaMeasureOf({ group: 'apps', plural: 'deployments', namespaced: true })?.tracks('count/deployments.apps')).toBe(true)
  })
})
