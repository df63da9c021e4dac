import { describe, expect, it } from 'vitest'
import { formatTime } from '../../../../base/clock.ts'
import { pods } from '../../../kinds.ts'
import { contextWith, created, decoded, type Loose, updated } from '../../../testing/prepared-objects.ts'
import type { Pod } from '../../../types.ts'
import { podStrategy } from './strategy.ts'

const pod = (spec: Loose = {}, more: Loose = {}) => ({
  metadata: { name: 'p', labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec },
  ...more,
})

describe('prepareForCreate() of a pod', () => {
  it('starts with a status of its own', () => {
    expect(created(pods, pod({}, { status: { phase: 'Running', podIP: '1.1.1.1' } })).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    })
  })

  it('says that a gated pod is not scheduled', () => {
    expect(created(pods, pod({ schedulingGates: [{ name: 'g' }] })).status).toEqual({
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: formatTime(contextWith({}).nowMs),
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ],
      qosClass: 'BestEffort',
    })
  })

  it('makes requirements of label keys, but for labels that the pod has not', () => {
    const term = {
      topologyKey: 'k',
      labelSelector: { matchLabels: { a: 'b' } },
      matchLabelKeys: ['app', 'none'],
      mismatchLabelKeys: ['app'],
    }
    const { spec } = created(
      pods,
      pod({
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, matchLabelKeys: ['app'] },
          { maxSkew: 1, topologyKey: 'l', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] },
        ],
      }),
    )
    const own = { key: 'app', operator: 'In', values: ['x'] }
    expect(spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector).toEqual({
      matchLabels: { a: 'b' },
      matchExpressions: [own, { key: 'app', operator: 'NotIn', values: ['x'] }],
    })
    expect(spec.topologySpreadConstraints[0].labelSelector).toEqual({ matchExpressions: [own] })
    expect(spec.topologySpreadConstraints[1]).not.toHaveProperty('labelSelector')
  })

  it.each<[string, string, Loose, Loose]>([
    ['takes a profile from its annotation', 'localhost/x', {}, { type: 'Localhost', localhostProfile: 'x' }],
    ['takes none that the pod has', 'runtime/default', { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }, undefined],
    ['takes none that is no profile', 'other', {}, undefined],
    ['takes none on Windows', 'unconfined', { os: { name: 'windows' } }, undefined],
  ])('%s', (_, annotation, spec, expected) => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': annotation }
    const { containers } = created(pods, { ...pod(spec), metadata: { name: 'p', annotations } }).spec
    expect(containers[0].securityContext?.appArmorProfile).toEqual(expected)
  })

  it('drops stop signals', () => {
    const lifecycle = { stopSignal: 'SIGUSR1' }
    const { containers } = created(
      pods,
      pod({
        containers: [
          { name: 'a', image: 'x:1', lifecycle },
          { name: 'b', image: 'x:1', lifecycle: { ...lifecycle, preStop: { sleep: { seconds: 1 } } } },
        ],
      }),
    ).spec
    expect(containers.map((one: Loose) => one.lifecycle)).toEqual([undefined, { preStop: { sleep: { seconds: 1 } } }])
  })
})

describe('prepareForUpdate() of a pod', () => {
  it('keeps the status', () => {
    const current = created(pods, pod())
    expect(updated(pods, pod({}, { status: { phase: 'Failed' } }), current).status).toEqual(current.status)
  })
})

describe('prepareForStatusUpdate() of a pod', () => {
  const write = (current: Loose, next: Loose) => {
    const object = decoded(pods, next)
    podStrategy.default?.(object, contextWith())
    podStrategy.prepareForStatusUpdate?.(object, current, contextWith())
    return object
  }
  const current = created(pods, pod())
  current.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'o', uid: 'u' }]
  current.status = {
    observedGeneration: 3,
    phase: 'Pending',
    conditions: [{ type: 'A', observedGeneration: 2, status: 'True' }],
    qosClass: 'BestEffort',
  }

  it('changes labels, but neither spec nor owners', () => {
    const next = write(current, { metadata: { name: 'p', labels: { n: '1' } }, spec: { nodeName: 'n' }, status: { phase: 'Running' } })
    expect(next.metadata.labels).toEqual({ n: '1' })
    expect(next.metadata.ownerReferences).toEqual(current.metadata.ownerReferences)
    expect(next.spec).toEqual(current.spec)
    expect(next.status.phase).toBe('Running')
  })

  it('keeps class and observed generations that the writer leaves out', () => {
    const conditions = [
      { type: 'A', status: 'False' },
      { type: 'B', status: 'True' },
    ]
    const { status } = write(current, { ...pod(), status: { phase: 'Running', conditions } })
    expect(status).toMatchObject({ observedGeneration: 3, qosClass: 'BestEffort' })
    expect(status.conditions.map((one: Loose) => one.observedGeneration)).toEqual([2, undefined])
  })

  it('takes what the writer says', () => {
    const { status } = write(current, { ...pod(), status: { observedGeneration: 4, qosClass: 'Burstable' } })
    expect(status).toEqual({ observedGeneration: 4, qosClass: 'Burstable' })
  })
})

describe('graceSeconds()', () => {
  const on = (spec: Loose, phase = 'Running') => ({ spec: { nodeName: 'n', ...spec }, status: { phase } }) as Loose
  it.each([
    ['the pod says', on({ terminationGracePeriodSeconds: 20 }), undefined, 20],
    ['the request says', on({ terminationGracePeriodSeconds: 20 }), 5, 5],
    ['the request says at once', on({ terminationGracePeriodSeconds: 20 }), 0, 0],
    ['a negative request is one second', on({ terminationGracePeriodSeconds: 20 }), -1, 1],
    ['a pod without a node goes at once', on({ nodeName: undefined, terminationGracePeriodSeconds: 20 }), 30, 0],
    ['a failed pod goes at once', on({ terminationGracePeriodSeconds: 20 }, 'Failed'), 30, 0],
    ['a pod that succeeded goes at once', on({ terminationGracePeriodSeconds: 20 }, 'Succeeded'), undefined, 0],
  ])('%s', (_, object, requested, expected) => {
    expect(podStrategy.graceSeconds?.(object, requested)).toBe(expected)
  })
})

describe('podStrategy, of a spec that several pods hold', () => {
  const context = contextWith()
  const { spec } = created(pods, pod()) as Pod
  const errorsOf = (annotations?: Record<string, string>) =>
    podStrategy.validate!({ metadata: { name: 'a', ...(annotations && { annotations }) }, spec } as Pod, context).map(({ field }) => field)

  it('judges the annotations of each', () => {
    expect(errorsOf()).toEqual([])
    expect(errorsOf({ 'controller.kubernetes.io/pod-deletion-cost': 'x' })).toHaveLength(1)
    expect(errorsOf()).toEqual([])
  })

  it('warns of the name of each', () => {
    const warningsOf = (name: string) => podStrategy.warnings!({ metadata: { name }, spec } as Pod, undefined, context)
    expect(warningsOf('a')).toEqual([])
    expect(warningsOf('a.b')).toHaveLength(1)
    expect(warningsOf('a')).toEqual([])
  })
})
