// Properties of the StatefulSet planner under random events on its pods.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Pod, StatefulSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { readyCondition } from '../../shared/plan/pod-state.ts'
import { nowMs, setOf } from '../testing/sample-objects.ts'
import { ordinalOf, revisionOf } from './identity.ts'
import { planStatefulSet } from './plan.ts'
import { isRunningAndReady } from './replicas.ts'
import type { StatefulSetAction, StatefulSetPlan } from './snapshot.ts'

type Spec = Partial<NonNullable<StatefulSet['spec']>>

class SimulatedCluster {
  set: Stored<StatefulSet>
  revision = 'r1'
  currentRevision = 'r1'
  readonly pods = new Map<string, Stored<Pod>>()
  /** Pods of these revisions never become ready. */
  readonly broken = new Set<string>()
  /** The uids of pods that never become ready again. */
  readonly rotten = new Set<string>()
  atMs = nowMs
  sequence = 0
  readonly unstick: boolean

  constructor(spec: Spec, unstick: boolean) {
    this.set = setOf(spec)
    this.unstick = unstick
  }

  change(spec: Spec): void {
    const { generation = 1 } = this.set.metadata
    this.set = { ...this.set, metadata: { ...this.set.metadata, generation: generation + 1 }, spec: { ...this.set.spec!, ...spec } }
  }

  plan(): StatefulSetPlan {
    return planStatefulSet({
      set: this.set,
      pods: [...this.pods.values()],
      findClaim: () => undefined,
      current: { name: this.currentRevision, template: this.set.spec?.template },
      update: { name: this.revision, template: this.set.spec?.template },
      collisionCount: 0,
      gates: { ...defaultFeatureGates, ExtendedWorkloadConditions: true, StatefulSetUnstickRollout: this.unstick },
      nowMs: this.atMs,
    })
  }

  /** Applies the first `most` actions of the plan: the controller may stop in between. */
  sync(most = Number.POSITIVE_INFINITY): number {
    const { steps, status } = this.plan()
    const actions = steps.flatMap((step) => step.actions).slice(0, most)
    for (const action of actions) this.#apply(action)
    if (most === Number.POSITIVE_INFINITY) {
      this.set = { ...this.set, status }
      this.currentRevision = status.currentRevision ?? this.currentRevision
    }
    return actions.length
  }

  #apply(action: StatefulSetAction): void {
    this.#checkOrder(action)
    const { name } = action.pod.metadata
    if (action.type === 'delete-pod') this.terminate(name)
    else if (action.type === 'create-pod') {
      expect(this.pods.has(name), `two pods of the name ${name}`).toBe(false)
      const { pod } = action
      this.pods.set(name, {
        ...pod,
        metadata: { ...pod.metadata, uid: `u${this.sequence++}`, resourceVersion: '1', creationTimestamp: formatTime(this.atMs) },
        status: { phase: 'Pending' },
      })
    }
  }

  #checkOrder(action: StatefulSetAction): void {
    const isOrdered = this.set.spec?.podManagementPolicy !== 'Parallel'
    const healthy = [...this.pods.values()].filter((pod) => isRunningAndReady(pod) && pod.metadata.deletionTimestamp === undefined)
    const ordinals = new Set(healthy.map(ordinalOf))
    const replicas = this.set.spec?.replicas ?? 0
    if (action.type === 'create-pod') {
      const ordinal = Number(action.pod.metadata.name.slice(2))
      for (let before = 0; isOrdered && before < ordinal; before++)
        expect(ordinals.has(before), `a-${ordinal} before a-${before} is healthy`).toBe(true)
    } else if (action.type === 'delete-pod') {
      const pod = this.pods.get(action.pod.metadata.name)!
      const ordinal = ordinalOf(pod)
      const others = [...this.pods.values()].filter((other) => other !== pod)
      const after = others.filter((other) => ordinalOf(other) > ordinal)
      if (ordinal >= replicas) {
        if (!isOrdered) return
        expect(after, 'scaled down out of order').toEqual([])
        for (let before = 0; before < replicas; before++) expect(ordinals.has(before), 'scaled down while unhealthy').toBe(true)
        const unhealthy = others.filter((other) => !ordinals.has(ordinalOf(other)))
        if (!ordinals.has(ordinal)) expect(unhealthy, 'an unhealthy pod went before another one').toEqual([])
      } else if (revisionOf(pod) !== this.revision && isRunningAndReady(pod)) {
        for (let later = ordinal + 1; later < replicas; later++) {
          expect(ordinals.has(later), `a-${ordinal} was updated before a-${later} is healthy`).toBe(true)
          expect(revisionOf(this.pods.get(`a-${later}`)!), 'updated out of order').toBe(this.revision)
        }
      }
    }
  }

  terminate(name: string): void {
    const pod = this.pods.get(name)
    if (pod !== undefined && pod.metadata.deletionTimestamp === undefined)
      this.pods.set(name, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.atMs) } })
  }

  remove(name: string): void {
    if (this.pods.get(name)?.metadata.deletionTimestamp !== undefined) this.pods.delete(name)
  }

  report(name: string, phase: string, isReady: boolean): void {
    const pod = this.pods.get(name)
    if (pod === undefined || pod.status?.phase === 'Failed') return
    const status = isReady && !this.broken.has(revisionOf(pod)) && !this.rotten.has(pod.metadata.uid) ? 'True' : 'False'
    if (readyCondition(pod)?.status === status && pod.status?.phase === phase) return
    this.pods.set(name, { ...pod, status: { phase, conditions: [{ type: 'Ready', status, lastTransitionTime: formatTime(this.atMs) }] } })
  }

  /** Everything that can get better does, until nothing changes any more. */
  settle(): void {
    for (let quiet = 0, rounds = 0; quiet < 2; rounds++) {
      if (rounds > 400) throw new Error('it does not end')
      this.atMs += 1000
      for (const [name, pod] of [...this.pods]) {
        if (pod.metadata.deletionTimestamp !== undefined) this.pods.delete(name)
        else if (!isRunningAndReady(pod) && pod.status?.phase !== 'Failed') this.report(name, 'Running', true)
      }
      const before = JSON.stringify([...this.pods.values()].map(({ metadata }) => metadata.uid))
      const acted = this.sync()
      quiet = acted === 0 && JSON.stringify([...this.pods.values()].map(({ metadata }) => metadata.uid)) === before ? quiet + 1 : 0
    }
  }

  expectDone(): void {
    const replicas = this.set.spec?.replicas ?? 0
    const partition = this.set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0
    const pods = [...this.pods.values()]
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(
      Array.from({ length: replicas }, (_, ordinal) => `a-${ordinal}`).sort(),
    )
    for (const pod of pods) {
      expect(isRunningAndReady(pod)).toBe(true)
      if (ordinalOf(pod) >= partition) expect(revisionOf(pod)).toBe(this.revision)
    }
    expect(this.set.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Progressing', reason: 'NewRevisionAvailable' }))
  }
}

const names = ['a-0', 'a-1', 'a-2', 'a-3', 'a-4']
const name = fc.constantFrom(...names)
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('sync' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('stop' as const), after: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('ready' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('unready' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('fail' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), name }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('deleted' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('scale' as const), replicas: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('update' as const), revision: fc.constantFrom('r1', 'r2', 'r3') }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

function happen(cluster: SimulatedCluster, event: Happening): void {
  cluster.atMs += 500
  switch (event.what) {
    case 'sync':
      cluster.sync()
      break
    case 'stop':
      cluster.sync(event.after)
      break
    case 'ready':
      cluster.report(event.name, 'Running', true)
      break
    case 'unready':
      cluster.report(event.name, 'Running', false)
      break
    case 'fail':
      cluster.report(event.name, 'Failed', false)
      break
    case 'delete':
      cluster.terminate(event.name)
      break
    case 'deleted':
      cluster.remove(event.name)
      break
    case 'scale':
      cluster.change({ replicas: event.replicas })
      break
    case 'update':
      cluster.revision = event.revision
      cluster.change({})
      break
  }
}

const strategy = fc.nat(3).map((partition) => ({ type: 'RollingUpdate', rollingUpdate: { partition } }))
const spec = fc.record({
  podManagementPolicy: fc.constantFrom('OrderedReady', 'Parallel'),
  updateStrategy: strategy,
  replicas: fc.integer({ min: 1, max: 4 }),
})

describe('a StatefulSet', () => {
  it('never has two pods of one name, keeps its order, and completes every rollout that can be completed', () => {
    fc.assert(
      fc.property(spec, fc.boolean(), fc.array(happening, { maxLength: 40 }), (given, unstick, events) => {
        const cluster = new SimulatedCluster(given, unstick)
        for (const event of events) happen(cluster, event)
        cluster.settle()
        cluster.expectDone()
      }),
      { numRuns: 120 },
    )
  })

  it('gets unstuck when a broken rollout is mended, wherever it broke', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(12),
        fc.array(happening, { maxLength: 12 }),
        fc.subarray(names),
        (replicas, rounds, events, rotten) => {
          const cluster = new SimulatedCluster({ replicas }, true)
          cluster.settle()
          cluster.broken.add('r2')
          cluster.revision = 'r2'
          cluster.change({})
          for (let i = 0; i < rounds; i++) {
            happen(cluster, { what: 'sync' })
            for (const one of names) happen(cluster, { what: 'deleted', name: one })
            for (const one of names) happen(cluster, { what: 'ready', name: one })
          }
          for (const event of events) if (event.what !== 'update' && event.what !== 'scale') happen(cluster, event)
          for (const one of rotten) {
            cluster.rotten.add(cluster.pods.get(one)?.metadata.uid ?? '')
            happen(cluster, { what: 'unready', name: one })
          }
          // Rolled back to the former template, unless that is broken as well.
          cluster.revision = rotten.length === 0 ? 'r1' : 'r3'
          cluster.change({})
          // Long enough for a pod to count as broken.
          for (let i = 0; i < 3; i++) {
            cluster.settle()
            cluster.atMs += 700_000
          }
          cluster.settle()
          cluster.expectDone()
        },
      ),
      { numRuns: 120 },
    )
  })

  it('stays stuck without the gate, as in Kubernetes', () => {
    const cluster = new SimulatedCluster({ replicas: 2 }, false)
    cluster.settle()
    cluster.broken.add('r2')
    cluster.revision = 'r2'
    cluster.change({})
    cluster.settle()
    cluster.revision = 'r3'
    cluster.change({})
    cluster.settle()
    expect([...cluster.pods.values()].map(revisionOf)).toEqual(['r1', 'r2'])
  })
})
