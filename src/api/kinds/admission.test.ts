import { describe, expect, it } from 'vitest'
import { addDefaultTolerations } from '../../server/admission/default-tolerations.ts'
import { applyLimitRanges, checkClaimLimits, checkPodLimits } from '../../server/admission/limit-ranger.ts'
import { checkGlobalDefault, keepPriority, resolvePriority } from '../../server/admission/priority.ts'
import { addProtectionFinalizer } from '../../server/admission/storage-protection.ts'
import { limitRanges as limitRangeKind, persistentVolumeClaims, pods } from '../kinds.ts'
import { checkCanonical, created, defaulted, type Loose } from '../testing/prepared-objects.ts'

const pod = (spec: Loose = {}): Loose =>
  defaulted(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec } })

describe('addDefaultTolerations()', () => {
  const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
  const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' }

  it.each<[string, Loose[], Loose[]]>([
    ['both, when there are none', [], [notReady, unreachable]],
    ['after those that are there', [{ key: 'a', operator: 'Exists' }], [{ key: 'a', operator: 'Exists' }, notReady, unreachable]],
    ['only the missing one', [{ key: notReady.key, operator: 'Exists' }], [{ key: notReady.key, operator: 'Exists' }, unreachable]],
    ['none to a pod that tolerates everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'for another effect too',
      [{ key: notReady.key, operator: 'Exists', effect: 'NoSchedule' }],
      [{ key: notReady.key, operator: 'Exists', effect: 'NoSchedule' }, notReady, unreachable],
    ],
  ])('adds %s', (_, tolerations, expected) => {
    const object = pod({ tolerations })
    addDefaultTolerations(object)
    expect(object.spec.tolerations).toEqual(expected)
    checkCanonical(pods, object)
  })
})

describe('resolvePriority()', () => {
  const priorityClass = (name: string, value: number, more: Loose = {}): Loose => ({
    metadata: { name },
    value,
    preemptionPolicy: 'PreemptLowerPriority',
    ...more,
  })
  const classes = [priorityClass('high', 1000, { preemptionPolicy: 'Never' }), priorityClass('low', 1)]

  it.each<[string, Loose, Loose[], Loose]>([
    ['zero without a class', {}, classes, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'those of the class',
      { priorityClassName: 'high' },
      classes,
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
    ['those of a class of the system', { priorityClassName: 'system-node-critical' }, [], { priority: 2000001000 }],
    [
      'those of the default class',
      {},
      [...classes, priorityClass('std', 7, { globalDefault: true })],
      { priorityClassName: 'std', priority: 7 },
    ],
    [
      'the lower of two default classes',
      {},
      [priorityClass('a', 7, { globalDefault: true }), priorityClass('b', 5, { globalDefault: true })],
      { priorityClassName: 'b', priority: 5 },
    ],
    ['the same number that the user wrote', { priorityClassName: 'low', priority: 1 }, classes, { priority: 1 }],
  ])('gives %s', (_, spec, there, expected) => {
    const object = pod(spec)
    expect(resolvePriority(object, there)).toBeUndefined()
    expect(object.spec).toMatchObject(expected)
    checkCanonical(pods, object)
  })

  it.each<[string, Loose, string]>([
    ['a class that is not there', { priorityClassName: 'x' }, 'no PriorityClass with name x was found'],
    [
      'another number',
      { priorityClassName: 'low', priority: 3 },
      'the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 1 from the given PriorityClass name',
    ],
    [
      'another policy',
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('refuses %s', (_, spec, expected) => {
    expect(resolvePriority(pod(spec), classes)).toBe(expected)
  })

  it('keeps the resolved priority on an update that omits it', () => {
    const next = pod()
    keepPriority(next, pod({ priority: 5, preemptionPolicy: 'Never' }))
    expect(next.spec).toMatchObject({ priority: 5, preemptionPolicy: 'Never' })
  })

  it('allows one default class', () => {
    const standard = priorityClass('std', 7, { globalDefault: true })
    expect(checkGlobalDefault(priorityClass('b', 1, { globalDefault: true }), [standard], true)).toBe(
      'PriorityClass std is already marked as default. Only one default can exist',
    )
    expect(checkGlobalDefault(standard, [standard], false)).toBeUndefined()
    expect(checkGlobalDefault(priorityClass('b', 1), [standard], true)).toBeUndefined()
  })
})

describe('addProtectionFinalizer()', () => {
  it('adds it once, after those that are there', () => {
    const claim = created(persistentVolumeClaims, { metadata: { name: 'c', finalizers: ['a/b'] } })
    addProtectionFinalizer(persistentVolumeClaims, claim)
    addProtectionFinalizer(persistentVolumeClaims, claim)
    expect(claim.metadata.finalizers).toEqual(['a/b', 'kubernetes.io/pvc-protection'])
  })

  it('leaves other kinds alone', () => {
    const object = pod()
    addProtectionFinalizer(pods, object)
    expect(object.metadata).toEqual({ name: 'p' })
  })
})

describe('applyLimitRanges()', () => {
  const limitRange = (...limits: Loose[]): Loose => defaulted(limitRangeKind, { metadata: { name: 'l' }, spec: { limits } })
  const containers = [
    { name: 'a', image: 'x:1', resources: { requests: { cpu: '100m' } } },
    { name: 'b', image: 'x:1' },
  ]

  it('adds the missing requests and limits, and notes it', () => {
    const object = pod({ containers, initContainers: [{ name: 'i', image: 'x:1' }] })
    applyLimitRanges(object, [limitRange({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } })])
    expect(object.spec.containers[0].resources).toEqual({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } })
    expect(object.spec.containers[1].resources).toEqual({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } })
    expect(object.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: memory request for container a; cpu, memory limit for container a; cpu, memory request for container b; cpu, memory limit for container b; cpu, memory request for init container i; cpu, memory limit for init container i',
    })
    checkCanonical(pods, object)
  })

  it('leaves pods alone that lack nothing', () => {
    const object = pod({ containers })
    const before = JSON.stringify(object)
    applyLimitRanges(object, [limitRange({ type: 'Pod', max: { cpu: '1' } })])
    expect(JSON.stringify(object)).toBe(before)
  })

  it.each<[string, Loose, Loose, string | undefined]>([
    ['nothing to refuse', { type: 'Container', min: { cpu: '100m' } }, { requests: { cpu: '100m' } }, undefined],
    [
      'too little',
      { type: 'Container', min: { cpu: '200m' } },
      { requests: { cpu: '100m' } },
      'minimum cpu usage per Container is 200m, but request is 100m',
    ],
    ['no request', { type: 'Container', min: { cpu: '200m' } }, {}, 'minimum cpu usage per Container is 200m.  No request is specified'],
    [
      'too much',
      { type: 'Container', max: { cpu: '1' } },
      { limits: { cpu: '2' } },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    ['no limit', { type: 'Pod', max: { cpu: '1' } }, { requests: { cpu: '2' } }, 'maximum cpu usage per Pod is 1.  No limit is specified'],
    [
      'too high a ratio',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '1' }, requests: { cpu: '300m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333',
    ],
    [
      'several things',
      { type: 'Container', max: { cpu: '1', memory: '1Gi' } },
      { limits: { cpu: '2', memory: '2Gi' } },
      '[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    ],
  ])('%s', (_, limit, resources, expected) => {
    expect(checkPodLimits(pod({ containers: [{ name: 'a', image: 'x:1', resources }] }), [limitRange(limit)])).toBe(expected)
  })

  it('adds up a pod, with its init containers in turn', () => {
    const one = (cpu: string) => ({ name: 'a', image: 'x:1', resources: { limits: { cpu } } })
    const range = [limitRange({ type: 'Pod', max: { cpu: '2' } })]
    expect(checkPodLimits(pod({ containers: [one('1'), one('1')], initContainers: [one('2')] }), range)).toBeUndefined()
    expect(checkPodLimits(pod({ containers: [one('1')], initContainers: [one('3')] }), range)).toContain('but limit is 3')
  })

  it('checks the requests of claims', () => {
    const claim = (storage: string) =>
      created(persistentVolumeClaims, { metadata: { name: 'c' }, spec: { resources: { requests: { storage } } } })
    const range = [limitRange({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } })]
    expect(checkClaimLimits(claim('1Gi'), range)).toBeUndefined()
    expect(checkClaimLimits(claim('3Gi'), range)).toBe('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi')
    expect(checkClaimLimits(claim('1Mi'), range)).toBe('minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi')
  })
})
