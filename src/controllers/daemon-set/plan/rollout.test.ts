// Properties of the DaemonSet planner under random events on its pods and nodes.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DaemonSet, Node, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { isActive, isReady, isTerminal } from '../../shared/plan/pod-state.ts'
import { nodeOf, nowMs, rolling, setOf } from '../testing/sample-objects.ts'
import { placementOf } from './placement.ts'
import { planDaemonSet } from './plan.ts'
import { nodeOf as nodeOfPod, podForNode, podTemplateOf, revisionLabel } from './pods.ts'
import { limitsOf } from './rolling-update.ts'
import type { Backoff } from './snapshot.ts'

type Spec = Partial<NonNullable<DaemonSet['spec']>>

class SimulatedCluster {
  set: Stored<DaemonSet>
  hash = 'r1'
  readonly nodes = new Map<string, Stored<Node>>()
  readonly pods = new Map<string, Stored<Pod>>()
  backoffs: ReadonlyMap<string, Backoff> = new Map()
  atMs = nowMs
  sequence = 0
  /** Of two pods the older one is kept, which may not be ready. */
  hadIntruder = false

  constructor(spec: Spec) {
    this.set = setOf(spec)
    for (const name of ['n0', 'n1', 'n2']) this.nodes.set(name, nodeOf(name))
  }

  get wanted(): string[] {
    const place = placementOf(this.set)
    return [...this.nodes.values()].filter((node) => place(node).shouldRun).map(({ metadata }) => metadata.name)
  }

  on(node: string): Stored<Pod>[] {
    return [...this.pods.values()].filter((pod) => nodeOfPod(pod) === node)
  }

  available(): number {
    return this.wanted.filter((node) => this.on(node).some((pod) => isActive(pod) && isReady(pod))).length
  }

  /** Applies the first `most` actions of the plan: the controller may stop in between. */
  sync(most = Number.POSITIVE_INFINITY): number {
    const plan = planDaemonSet({
      set: this.set,
      nodes: [...this.nodes.values()],
      pods: [...this.pods.values()],
      place: placementOf(this.set),
      revision: { name: `a-${this.hash}`, hash: this.hash },
      backoffs: this.backoffs,
      gates: { ExtendedWorkloadConditions: true },
      nowMs: this.atMs,
    })
    this.backoffs = plan.backoffs
    const before = this.available()
    let left = most
    for (const node of plan.create) if (left-- > 0) this.#create(node)
    for (const { metadata } of plan.delete) if (left-- > 0) this.terminate(metadata.name)
    const { maxUnavailable } = limitsOf(this.set, this.wanted.length)
    if (this.available() < before && !this.hadIntruder)
      expect(this.available(), 'too many are taken at once').toBeGreaterThanOrEqual(this.wanted.length - maxUnavailable)
    if (most === Number.POSITIVE_INFINITY) this.set = { ...this.set, status: plan.status }
    return plan.create.length + plan.delete.length
  }

  #create(node: string): void {
    const there = this.on(node)
    if (limitsOf(this.set, Math.max(1, this.wanted.length)).maxSurge > 0)
      expect(there.filter(isActive).length, `a third pod on ${node}`).toBeLessThanOrEqual(1)
    else {
      const lingering = there.filter((pod) => pod.metadata.deletionTimestamp === undefined || !isTerminal(pod))
      expect(lingering, `a pod on ${node} before the last one was deleted`).toEqual([])
    }
    this.add(node)
  }

  add(node: string): void {
    const name = `p${this.sequence++}`
    const pod = podForNode(podTemplateOf(this.set, this.hash), node)
    this.pods.set(name, {
      ...pod,
      metadata: { ...pod.metadata, name, namespace: 'default', uid: name, resourceVersion: '1', creationTimestamp: formatTime(this.atMs) },
      status: { phase: 'Pending' },
    })
  }

  terminate(name: string): void {
    const pod = this.pods.get(name)
    if (pod !== undefined && pod.metadata.deletionTimestamp === undefined)
      this.pods.set(name, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.atMs) } })
  }

  report(name: string, phase: string, ready: boolean): void {
    const pod = this.pods.get(name)
    if (pod === undefined || pod.status?.phase === 'Failed') return
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: formatTime(this.atMs) }]
    this.pods.set(name, { ...pod, spec: { ...pod.spec!, nodeName: nodeOfPod(pod)! }, status: { phase, conditions } })
  }

  /** Everything that can get better does, until nothing changes any more. */
  settle(): void {
    for (let quiet = 0, rounds = 0; quiet < 2; rounds++) {
      if (rounds > 300) throw new Error('it does not end')
      this.atMs += 16 * 60_000
      for (const [name, pod] of [...this.pods]) {
        if (pod.metadata.deletionTimestamp !== undefined || !this.nodes.has(nodeOfPod(pod) ?? '')) this.pods.delete(name)
        else if (!isReady(pod)) this.report(name, 'Running', true)
      }
      quiet = this.sync() === 0 ? quiet + 1 : 0
    }
  }

  expectDone(): void {
    const place = placementOf(this.set)
    const { wanted } = this
    const staying = [...this.nodes.values()].filter((node) => !place(node).shouldRun && place(node).shouldStay)
    const pods = [...this.pods.values()].filter((pod) => wanted.includes(nodeOfPod(pod) ?? ''))
    expect(pods.map(nodeOfPod).sort()).toEqual(wanted.sort())
    for (const pod of pods) expect(pod.metadata.labels?.[revisionLabel]).toBe(this.hash)
    if (staying.length === 0)
      expect(this.set.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Progressing', reason: 'NewRevisionAvailable' }))
  }
}

const index = fc.nat(5)
const node = fc.constantFrom('n0', 'n1', 'n2', 'n3')
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('sync' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('stop' as const), after: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('ready' as const), index }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('unready' as const), index }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('fail' as const), index }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), index }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('deleted' as const), index }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('update' as const), hash: fc.constantFrom('r1', 'r2', 'r3') }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('node' as const), node, effect: fc.constantFrom('none', 'NoSchedule', 'NoExecute') }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('no node' as const), node }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('intruder' as const), node }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

function happen(cluster: SimulatedCluster, event: Happening): void {
  cluster.atMs += 500
  const names = [...cluster.pods.keys()]
  const name = 'index' in event ? (names[event.index] ?? '') : ''
  switch (event.what) {
    case 'sync':
      cluster.sync()
      break
    case 'stop':
      cluster.sync(event.after)
      break
    case 'ready':
      cluster.report(name, 'Running', true)
      break
    case 'unready':
      cluster.report(name, 'Running', false)
      break
    case 'fail':
      cluster.report(name, 'Failed', false)
      break
    case 'delete':
      cluster.terminate(name)
      break
    case 'deleted':
      if (cluster.pods.get(name)?.metadata.deletionTimestamp !== undefined) cluster.pods.delete(name)
      break
    case 'update':
      cluster.hash = event.hash
      break
    case 'node':
      cluster.nodes.set(event.node, nodeOf(event.node, event.effect === 'none' ? {} : { taints: [{ key: 'k', effect: event.effect }] }))
      break
    case 'intruder':
      cluster.add(event.node)
      cluster.hadIntruder = true
      break
    case 'no node':
      cluster.nodes.delete(event.node)
      break
  }
}

const spec = fc.constantFrom(
  rolling({ maxUnavailable: 1, maxSurge: 0 }),
  rolling({ maxUnavailable: 2, maxSurge: 0 }),
  rolling({ maxUnavailable: 0, maxSurge: 1 }),
  rolling({ maxUnavailable: 0, maxSurge: '100%' }),
)

describe('a DaemonSet', () => {
  it('has one pod per node, or two while surging, keeps enough of them available, and completes every rollout', () => {
    fc.assert(
      fc.property(spec, fc.array(happening, { maxLength: 20 }), fc.array(happening, { maxLength: 25 }), (given, before, during) => {
        const cluster = new SimulatedCluster(given)
        for (const event of before) happen(cluster, event)
        cluster.settle()
        cluster.hash = 'r4'
        for (const event of during) happen(cluster, event)
        cluster.settle()
        cluster.expectDone()
      }),
      { numRuns: 150 },
    )
  })

  it('is planned in little time on five thousand nodes', () => {
    const cluster = new SimulatedCluster(rolling({ maxUnavailable: 1, maxSurge: 0 }))
    for (let i = 0; i < 5000; i++) cluster.nodes.set(`m${i}`, nodeOf(`m${i}`))
    const place = placementOf(cluster.set)
    const template = podTemplateOf(cluster.set, 'r1')
    const pods = [...cluster.nodes.keys()].map((name, i): Stored<Pod> => {
      const pod = podForNode(template, name)
      return { ...pod, metadata: { ...pod.metadata, name: `p${i}`, uid: `${i}`, resourceVersion: '1' }, status: { phase: 'Running' } }
    })
    const nodes = [...cluster.nodes.values()]
    let calls = 0
    const counting = (one: Stored<Node>) => {
      calls++
      return place(one)
    }
    const plan = planDaemonSet({
      set: cluster.set,
      nodes,
      pods,
      place: counting,
      revision: { name: 'a-r1', hash: 'r1' },
      backoffs: new Map(),
      gates: { ExtendedWorkloadConditions: true },
      nowMs,
    })
    expect(plan.status.desiredNumberScheduled).toBe(5003)
    // Each node is evaluated a few times, not once for each other node.
    expect(calls).toBeLessThanOrEqual(3 * nodes.length)
  })
})
