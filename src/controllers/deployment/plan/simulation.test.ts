// Deployments, ReplicaSets and pods in a small model with random interleaving: a ReplicaSet reads, acts and reports in three
// separate steps, of which the last two may be late; the controller may stop between any two writes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { sampleDeployment, sampleSet, sampleSnapshot, startMs, templateOf } from '../testing/sample-objects.ts'
import { annotationOf, replicasBeforeScaleAnnotation } from './annotations.ts'
import { conditionOf } from './conditions.ts'
import { planDeployment } from './deployment.ts'
import { maxReplicas } from './fenceposts.ts'
import { sizeOf } from './replica-sets.ts'

/** The pods of a ReplicaSet, and the next action of its controller. */
class SetModel {
  active = 0
  ready = 0
  terminating = 0
  /** What its controller read in the current sync. */
  observed: { set: Stored<ReplicaSet>; active: number; ready: number; terminating: number; isComplete: boolean } | undefined
  /** Its own writes that it has not seen yet. */
  isBehind = false
  seenActive = 0
  seenTerminating = 0
}

class SimulatedCluster {
  deployment: Stored<Deployment>
  sets: Stored<ReplicaSet>[] = []
  readonly models = new Map<string, SetModel>()
  version = 1
  nowMs = startMs

  constructor(deployment: Stored<Deployment>) {
    this.deployment = deployment
  }

  modelOf(set: Stored<ReplicaSet>): SetModel {
    return this.models.get(set.metadata.uid)!
  }

  /** The maximum number of pods without further changes of sizes: each ReplicaSet finishes its action, then reaches its size. */
  get bound(): number {
    let total = 0
    for (const set of this.sets) {
      const { active, terminating, observed } = this.modelOf(set)
      const first = observed === undefined ? active : sizeOf(observed.set)
      total += terminating + Math.max(0, active - first) + Math.max(first, sizeOf(set))
    }
    return total
  }

  get pods(): number {
    let total = 0
    for (const { active, terminating } of this.models.values()) total += active + terminating
    return total
  }

  change(spec: Partial<NonNullable<Deployment['spec']>>): void {
    const { metadata } = this.deployment
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation: metadata.generation! + 1, resourceVersion: String(++this.version) },
      spec: { ...this.deployment.spec!, ...spec },
    }
  }

  /** One sync of the Deployment controller; it stops after so many writes. `between` runs after the first. */
  sync(writes = Number.POSITIVE_INFINITY, between: () => void = () => {}): boolean {
    const plan = planDeployment(sampleSnapshot(this.deployment, this.sets), this.nowMs)
    let left = writes
    for (const [place, action] of plan.actions.entries()) {
      if (left-- <= 0) return true
      if (place === 1) between()
      if (action.action === 'update-set') {
        if (!this.put(action.replicaSet)) return true
      } else if (action.action === 'create-set') this.create(action.replicaSet)
      else if (action.action === 'delete-set') this.remove(action.replicaSet)
    }
    if (left <= 0) return true
    const { status } = plan
    if (status?.metadata.resourceVersion === this.deployment.metadata.resourceVersion)
      this.deployment = { ...status!, metadata: { ...status!.metadata, resourceVersion: String(++this.version) } }
    return plan.actions.length > 0 || status !== undefined
  }

  put(next: Stored<ReplicaSet>): boolean {
    const at = this.sets.findIndex(({ metadata }) => metadata.uid === next.metadata.uid)
    const current = this.sets[at]
    if (current?.metadata.resourceVersion !== next.metadata.resourceVersion) return false
    const generation = current.metadata.generation! + (sizeOf(current) === sizeOf(next) ? 0 : 1)
    this.sets[at] = { ...next, metadata: { ...next.metadata, generation, resourceVersion: String(++this.version) } }
    return true
  }

  create(set: ReplicaSet): void {
    if (this.sets.some(({ metadata }) => metadata.name === set.metadata?.name)) return
    const sample = sampleSet({ size: 0, age: this.version, name: set.metadata!.name! })
    const metadata = { ...sample.metadata, annotations: set.metadata!.annotations!, resourceVersion: String(++this.version) }
    this.sets.push({ ...sample, metadata, spec: set.spec!, status: { replicas: 0 } })
    this.models.set(metadata.uid, new SetModel())
  }

  remove(set: Stored<ReplicaSet>): void {
    const { active, terminating } = this.modelOf(set)
    if (this.deployment.spec?.podReplacementPolicy === 'TerminationComplete') expect(active + terminating).toBe(0)
    this.models.delete(set.metadata.uid)
    this.sets = this.sets.filter(({ metadata }) => metadata.uid !== set.metadata.uid)
  }

  lookOf(set: Stored<ReplicaSet>): void {
    const model = this.modelOf(set)
    const { seenActive, seenTerminating, ready, isBehind } = model
    model.observed = { set, active: seenActive, terminating: seenTerminating, ready: Math.min(ready, seenActive), isComplete: !isBehind }
  }

  /** Creates or deletes pods as decided at the last read; `most` pods at a time. */
  act(set: Stored<ReplicaSet>, most = Number.POSITIVE_INFINITY): void {
    const model = this.modelOf(set)
    const { observed } = model
    if (observed === undefined || !observed.isComplete || model.isBehind) return
    const wanted = sizeOf(observed.set)
    if (wanted > model.active) {
      model.active = Math.min(wanted, model.active + most)
      model.isBehind = true
    } else if (wanted < model.active) {
      const removed = Math.min(model.active - wanted, most)
      model.active -= removed
      model.terminating += removed
      model.ready = Math.min(model.ready, model.active)
      model.isBehind = true
    }
  }

  /** If the ReplicaSet has changed since it was read, the status write is rejected. */
  report(set: Stored<ReplicaSet>): void {
    const model = this.modelOf(set)
    const { observed } = model
    model.observed = undefined
    const at = this.sets.findIndex(({ metadata }) => metadata.uid === set.metadata.uid)
    const current = this.sets[at]
    if (observed === undefined || current === undefined || current.metadata.resourceVersion !== observed.set.metadata.resourceVersion)
      return
    const status = {
      replicas: observed.active,
      readyReplicas: observed.ready,
      availableReplicas: observed.ready,
      terminatingReplicas: observed.terminating,
      observedGeneration: observed.isComplete ? observed.set.metadata.generation! : (current.status?.observedGeneration ?? 0),
    }
    if (JSON.stringify(status) === JSON.stringify(current.status)) return
    this.sets[at] = { ...current, status, metadata: { ...current.metadata, resourceVersion: String(++this.version) } }
  }

  see(set: Stored<ReplicaSet>): void {
    const model = this.modelOf(set)
    model.isBehind = false
    model.seenActive = model.active
    model.seenTerminating = model.terminating
  }

  /** Everybody does their part, until nothing changes any more. */
  settle({ ready = true, finish = true } = {}): void {
    for (let round = 0; round < 400; round++) {
      const before = this.version
      this.sync()
      for (const set of [...this.sets]) {
        const model = this.modelOf(set)
        if (finish) model.terminating = 0
        if (ready) model.ready = model.active
        this.see(set)
        this.lookOf(this.sets.find(({ metadata }) => metadata.uid === set.metadata.uid) ?? set)
        this.act(set)
        this.report(set)
      }
      const isQuiet = this.version === before && [...this.models.values()].every(({ terminating }) => !finish || terminating === 0)
      if (isQuiet && round > 2) return
      this.nowMs += 1000
    }
    throw new Error(
      `never settles: ${JSON.stringify(this.sets.map(({ spec, status, metadata }) => [spec?.replicas, status, metadata.annotations]))}`,
    )
  }
}

type Move =
  | { readonly move: 'sync'; readonly writes: number; readonly between: number }
  | { readonly move: 'scale'; readonly replicas: number }
  | { readonly move: 'image'; readonly image: number }
  | { readonly move: 'pause'; readonly paused: boolean }
  | { readonly move: 'observed' | 'act' | 'report' | 'see' | 'ready' | 'finish'; readonly set: number; readonly count: number }

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ move: fc.constant('sync' as const), writes: fc.integer({ min: 0, max: 5 }), between: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('scale' as const), replicas: fc.integer({ min: 0, max: 14 }) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('image' as const), image: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 14,
    arbitrary: fc.record({
      move: fc.constantFrom('observed' as const, 'act' as const, 'report' as const, 'see' as const, 'ready' as const, 'finish' as const),
      set: fc.nat(5),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
)

const cluster = fc.record({
  replicas: fc.integer({ min: 0, max: 12 }),
  maxSurge: fc.integer({ min: 0, max: 4 }),
  maxUnavailable: fc.integer({ min: 0, max: 4 }),
  strategy: fc.constantFrom('RollingUpdate' as const, 'RollingUpdate' as const, 'Recreate' as const),
  revisionHistoryLimit: fc.integer({ min: 0, max: 3 }),
})

function play(subject: SimulatedCluster, one: Move): void {
  if (one.move === 'sync') subject.sync(one.writes, () => playSet(subject, 'report', one.between, 1))
  else if (one.move === 'scale') subject.change({ replicas: one.replicas })
  else if (one.move === 'image') subject.change({ template: templateOf(`a:${one.image}`) })
  else if (one.move === 'pause') subject.change({ paused: one.paused })
  else playSet(subject, one.move, one.set, one.count)
}

function playSet(
  subject: SimulatedCluster,
  what: 'observed' | 'act' | 'report' | 'see' | 'ready' | 'finish',
  index: number,
  count: number,
): void {
  const set = subject.sets[index % Math.max(1, subject.sets.length)]
  if (set === undefined) return
  const model = subject.modelOf(set)
  if (what === 'observed') subject.lookOf(set)
  else if (what === 'act') subject.act(set, count)
  else if (what === 'report') subject.report(set)
  else if (what === 'see') subject.see(set)
  else if (what === 'ready') model.ready = Math.min(model.active, model.ready + count)
  else model.terminating = Math.max(0, model.terminating - count)
}

const moves = fc.array(move, { minLength: 10, maxLength: 120 })

function start(
  shape: { revisionHistoryLimit: number } & Parameters<typeof sampleDeployment>[0],
  policy?: 'TerminationStarted' | 'TerminationComplete',
) {
  const { revisionHistoryLimit, ...more } = shape
  const subject = new SimulatedCluster(sampleDeployment({ ...more, ...(policy && { policy }), spec: { revisionHistoryLimit } }))
  subject.settle()
  return subject
}

describe('a Deployment whose pods, sets and controller act at random moments', () => {
  it('TerminationComplete: the sizes never allow more pods than replicas plus surge', () => {
    fc.assert(
      fc.property(cluster, moves, (shape, list) => {
        const subject = start(shape, 'TerminationComplete')
        for (const one of list) {
          const before = subject.bound
          play(subject, one)
          expect(subject.bound).toBeLessThanOrEqual(Math.max(before, maxReplicas(subject.deployment)))
          expect(subject.pods).toBeLessThanOrEqual(subject.bound)
        }
      }),
      { numRuns: 150 },
    )
  })

  for (const policy of [undefined, 'TerminationStarted', 'TerminationComplete'] as const)
    it(`${policy ?? 'no policy'}: every rollout completes, and nothing stays pending`, () => {
      fc.assert(
        fc.property(cluster, moves, (shape, list) => {
          const subject = start(shape, policy)
          for (const one of list) play(subject, one)
          subject.change({ paused: false })
          subject.settle()
          const replicas = subject.deployment.spec!.replicas!
          const image = subject.deployment.spec!.template!.spec!.containers[0]!.image
          for (const set of subject.sets) {
            expect(sizeOf(set)).toBe(set.spec!.template!.spec!.containers[0]!.image === image ? replicas : 0)
            expect(annotationOf(set, replicasBeforeScaleAnnotation)).toBeUndefined()
          }
          expect(subject.pods).toBe(replicas)
          expect(conditionOf(subject.deployment.status?.conditions, 'Progressing')?.reason).toBe('NewReplicaSetAvailable')
          expect(subject.sets.length).toBeLessThanOrEqual(shape.revisionHistoryLimit + 1)
        }),
        { numRuns: 80 },
      )
    })

  it('TerminationComplete: a scale is done when the pods have terminated, even if no new pod becomes ready', () => {
    fc.assert(
      fc.property(cluster, moves, fc.integer({ min: 1, max: 14 }), (shape, list, replicas) => {
        const subject = start({ ...shape, strategy: 'RollingUpdate' }, 'TerminationComplete')
        for (const one of list) if (one.move !== 'ready') play(subject, one)
        subject.change({ replicas, paused: true })
        subject.settle({ ready: false })
        for (const set of subject.sets) expect(annotationOf(set, replicasBeforeScaleAnnotation)).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })
})
