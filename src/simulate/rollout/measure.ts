// Computes the measures, series and marks of a trace, in one pass over its changes. Pure.
import { defined } from '../../base/defined.ts'
import { getOrAdd } from '../../base/maps.ts'
import { failureOf, isAllAvailable, isCalledComplete } from './completion.ts'
import { loadKey, MeasuredLoad } from './load/measured-load.ts'
import {
  availablePods,
  boundPods,
  hasProgressed,
  isOldPod,
  newWorkload,
  type OwnerView,
  type PodView,
  promise,
  stateOf,
  states,
  takesRoom,
  type WorkloadView,
} from './measured-objects.ts'
import type { Mark, Measures, Series } from './result.ts'
import { RolloutTimes } from './rollout-times.ts'
import { SeriesBuilder } from './series.ts'
import type { Change, Trace, TracedLoad, TracedPod, TracedSet, TracedWorkload } from './trace.ts'

export interface Measured {
  readonly measures: Measures
  readonly series: Series
  readonly marks: readonly Mark[]
  /** Of the workloads, sorted. */
  readonly kinds: readonly string[]
}

const maxMarks = 1000

export function measureTrace(trace: Trace): Measured {
  const reading = readTrace(trace, new Map())
  const newest = reading.newestRevisions
  const last = Math.max(0, ...newest.values())
  if ([...newest.values()].every((revision) => revision === last)) return reading.end()
  // Drawn together, the current pods of all workloads have one colour, also of those that do not change.
  return readTrace(trace, new Map([...newest].map(([uid, revision]) => [uid, last - revision]))).end()
}

function readTrace(trace: Trace, leads: ReadonlyMap<string, number>): Reading {
  const reading = new Reading(trace, leads)
  for (const change of trace.changes) reading.take(change)
  return reading
}

class Reading {
  readonly #trace: Trace
  /** By the uid of the workload: how many revisions it is behind the workload with the most. */
  readonly #leads: ReadonlyMap<string, number>
  readonly #pods = new Map<string, PodView>()
  readonly #owners = new Map<string, OwnerView>()
  readonly #workloads = new Map<string, WorkloadView>()
  readonly #nodes = new Set<string>()
  readonly #series = new SeriesBuilder()
  readonly #marks: Mark[] = []
  readonly #waited = new Set<string>()
  readonly #unmatched = new Set<string>()
  readonly #kinds = new Set<string>()
  readonly #load = new MeasuredLoad()
  readonly #times = new RolloutTimes()
  readonly #byName = new Map<string, WorkloadView>()
  #nowMs = 0
  #total = 0
  #old = 0
  #desired = 0
  #cap = 0
  #over = 0
  #unavailable = 0
  #incomplete = 0
  #hadOld = false
  #peakPods = 0
  #peakCap = 0
  #peakOver = 0
  #peakNodes = 0
  #lowest: number | undefined
  #podMs = 0
  #nodeMs = 0
  #deadlines = 0
  #waiting = 0
  #peakWaiting = 0
  #longestStallMs = 0
  #drains = 0
  #drained = 0
  #drainedAtMs = 0

  constructor(trace: Trace, leads: ReadonlyMap<string, number>) {
    this.#trace = trace
    this.#leads = leads
  }

  /** By the uid of the workload. */
  get newestRevisions(): ReadonlyMap<string, number> {
    return new Map([...this.#workloads].filter(([, { newest }]) => newest > 0).map(([uid, { newest }]) => [uid, newest]))
  }

  /** An autoscaler changes the size of workloads, or removes nodes with their pods. */
  get #isAutoscaled(): boolean {
    return this.#load.now !== undefined || this.#trace.hasAutoscaledNodes === true
  }

  take(change: Change): void {
    const oldBefore = this.#old
    this.#moveTo(change.atMs)
    if ('pod' in change) this.#takePod(change.pod)
    else if ('workload' in change) this.#takeWorkload(change.workload)
    else if ('set' in change) this.#takeSet(change.set)
    else if ('node' in change) this.#nodes.add(change.node.name)
    else if ('gone' in change) this.#takeGone(change.gone.type, change.gone.id)
    else if ('load' in change) this.#takeLoad(change.load)
    else if ('step' in change && change.drain === 'ends') {
      this.#drained++
      this.#drainedAtMs = change.atMs
      this.#mark('fault', '', change.step)
    } else if ('step' in change) {
      if (change.drain === 'begins') this.#drains++
      this.#times.noteStep(change.atMs, change.isFault === true)
      this.#mark(change.isFault ? 'fault' : 'step', '', change.step)
    } else this.#mark('event', change.event.object, `${change.event.reason}: ${change.event.message}`)
    if (oldBefore > 0 && this.#old === 0) this.#times.noteOldGone(this.#nowMs, this.#isAutoscaled)
    this.#notePeaks()
  }

  end(): Measured {
    this.#moveTo(this.#trace.endMs)
    for (const workload of this.#workloads.values()) this.#bound(workload, true)
    this.#notePeaks()
    this.#sample()
    // A Job has pods that end, and none that must be available.
    const isServing = [...this.#kinds].some((kind) => kind !== 'Job')
    const fromMs = this.#times.startMs(isServing)
    const since = (atMs: number | undefined) => (atMs === undefined ? undefined : Math.max(0, atMs - fromMs))
    const availableAfterMs = since(isServing && this.#unavailable === 0 ? this.#times.availableAtMs : undefined)
    const oldGoneAfterMs = since(this.#old === 0 && this.#hadOld ? this.#times.oldGoneAtMs : undefined)
    const completeAfterMs = since(this.#incomplete === 0 ? this.#times.completeAtMs : undefined)
    return {
      measures: {
        peakPods: this.#peakPods,
        cap: this.#peakCap,
        peakOverCap: this.#peakOver,
        ...defined({ availableAfterMs, oldGoneAfterMs, completeAfterMs, lowestAvailability: this.#lowest }),
        ...(this.#drains > 0 && { drains: this.#drains, ...(this.#drained === this.#drains && { drainedAfterMs: this.#drainedAtMs }) }),
        podSeconds: this.#podMs / 1000,
        peakNodes: this.#peakNodes,
        nodeMinutes: this.#nodeMs / 60_000,
        waitedForRoom: this.#waited.size,
        matchedNoNode: this.#unmatched.size,
        deadlinesPassed: this.#deadlines,
        ...(this.#peakWaiting > 0 && { peakWaiting: this.#peakWaiting }),
        ...(this.#peakWaiting > 0 && this.#kinds.has('Deployment') && { neededDeadlineMs: this.#longestStallMs }),
        ...this.#load.measures,
      },
      series: this.#series.end(),
      marks: this.#marks,
      kinds: [...this.#kinds].sort(),
    }
  }

  #moveTo(atMs: number): void {
    if (atMs <= this.#nowMs) return
    this.#sample()
    this.#podMs += this.#total * (atMs - this.#nowMs)
    this.#nodeMs += this.#nodes.size * (atMs - this.#nowMs)
    this.#load.pass(atMs - this.#nowMs, (key) => this.#byName.get(key)?.ready ?? 0)
    this.#nowMs = atMs
  }

  #sample(): void {
    // Of a moment that lasts: a set that is adopted stands beside its Deployment for none.
    this.#peakCap = Math.max(this.#peakCap, this.#cap)
    let available = 0
    for (const workload of this.#workloads.values()) {
      const own = availablePods(workload)
      available += own
      if (workload.promised > 0) this.#lowest = Math.min(this.#lowest ?? 1, own / workload.promised)
    }
    this.#series.sample(this.#nowMs, this.#desired, this.#cap, available, this.#nodes.size, this.#load.now)
  }

  #notePeaks(): void {
    this.#peakPods = Math.max(this.#peakPods, this.#total)
    this.#peakOver = Math.max(this.#peakOver, this.#over)
    this.#peakNodes = Math.max(this.#peakNodes, this.#nodes.size)
    this.#peakWaiting = Math.max(this.#peakWaiting, this.#waiting)
  }

  #mark(type: Mark['type'], object: string, text: string): void {
    if (this.#marks.length < maxMarks) this.#marks.push({ atMs: this.#nowMs, type, object, text })
  }

  #owner(uid: string): OwnerView {
    let owner = this.#owners.get(uid)
    if (owner === undefined) {
      owner = { pods: new Set(), set: undefined, workload: undefined, revisions: new Map() }
      this.#owners.set(uid, owner)
      const workload = this.#workloads.get(uid)
      if (workload !== undefined) this.#join(owner, workload)
    }
    return owner
  }

  #workload(uid: string): WorkloadView {
    return getOrAdd(this.#workloads, uid, () => newWorkload(this.#leads.get(uid) ?? 0))
  }

  #join(owner: OwnerView, workload: WorkloadView): void {
    if (owner.workload === workload) return
    for (const pod of owner.pods) this.#uncount(pod)
    owner.workload = workload
    workload.owners.add(owner)
    for (const pod of owner.pods) this.#count(pod)
    for (const pod of owner.pods) this.#renew(workload, pod.revision)
    this.#bound(workload)
  }

  #takePod(traced: TracedPod): void {
    const known = this.#pods.get(traced.uid)
    if (traced.isUnschedulable) (traced.waitsFor === 'match' ? this.#unmatched : this.#waited).add(traced.uid)
    if (known !== undefined) {
      this.#uncount(known)
      known.traced = traced
      known.state = stateOf(traced)
      this.#count(known)
      this.#bound(known.owner?.workload)
      return
    }
    const owner = traced.owner === undefined ? undefined : this.#owner(traced.owner)
    const pod: PodView = { traced, state: stateOf(traced), owner, revision: this.#revisionOf(traced, owner), isOld: false }
    this.#pods.set(traced.uid, pod)
    owner?.pods.add(pod)
    this.#count(pod)
    const workload = owner?.workload
    if (workload !== undefined) this.#renew(workload, pod.revision)
    this.#bound(workload)
  }

  #revisionOf(traced: TracedPod, owner: OwnerView | undefined): number {
    if (owner?.set?.revision !== undefined) return owner.set.revision
    if (owner === undefined || traced.revision === undefined) return 1
    return getOrAdd(owner.revisions, traced.revision, () => owner.revisions.size + 1)
  }

  /** There may be a revision that makes others old. */
  #renew(workload: WorkloadView, revision: number): void {
    if (revision <= workload.newest) return
    workload.newest = revision
    this.#recount(workload)
  }

  #recount({ owners }: WorkloadView): void {
    for (const { pods } of owners)
      for (const pod of pods) {
        this.#uncount(pod)
        this.#count(pod)
      }
  }

  #count(pod: PodView): void {
    if (pod.state === states.ended) return
    pod.isOld = isOldPod(pod)
    this.#hadOld ||= pod.isOld
    this.#tally(pod, 1)
  }

  #uncount(pod: PodView): void {
    if (pod.state === states.ended) return
    this.#tally(pod, -1)
  }

  #tally(pod: PodView, by: 1 | -1): void {
    const workload = pod.owner?.workload
    this.#series.add(pod.revision + (workload?.lead ?? 0), pod.state, by)
    if (pod.isOld) this.#old += by
    if (!takesRoom(pod)) {
      this.#waiting += by
      return
    }
    this.#total += by
    if (workload === undefined) return
    workload.pods += by
    if (pod.state !== states.ready) return
    workload.ready += by
    if (pod.traced.isTakenOver) workload.takenOver += by
  }

  #takeGone(type: 'pod' | 'set' | 'workload' | 'node', id: string): void {
    if (type === 'node') this.#nodes.delete(id)
    if (type === 'workload') this.#dropWorkload(id)
    const pod = type === 'pod' ? this.#pods.get(id) : undefined
    if (pod === undefined) return
    this.#uncount(pod)
    this.#bound(pod.owner?.workload)
    pod.owner?.pods.delete(pod)
    this.#pods.delete(id)
  }

  #takeSet(traced: TracedSet): void {
    const owner = this.#owner(traced.uid)
    owner.set = traced
    if (traced.owner !== undefined) this.#join(owner, this.#workload(traced.owner))
    const { revision } = traced
    if (revision === undefined) return
    for (const pod of owner.pods) {
      if (pod.revision === revision) break
      this.#uncount(pod)
      pod.revision = revision
      this.#count(pod)
    }
    if (owner.workload !== undefined) this.#renew(owner.workload, revision)
  }

  #takeWorkload(traced: TracedWorkload): void {
    const workload = this.#workload(traced.uid)
    const before = workload.traced
    this.#kinds.add(traced.kind)
    workload.traced = traced
    this.#byName.set(loadKey(traced), workload)
    this.#load.size(traced)
    this.#desired += traced.replicas - (before?.replicas ?? 0)
    this.#cap += traced.cap - (before?.cap ?? 0)
    const own = this.#owners.get(traced.uid)
    if (own !== undefined) this.#join(own, workload)
    if (before?.keepsOld?.belowOrdinal !== traced.keepsOld?.belowOrdinal) this.#recount(workload)
    this.#bound(workload, traced.observedGeneration === traced.generation)
    this.#noteConditions(traced, before)
    if (traced.kind === 'Deployment') this.#noteProgress(workload, traced, before)
    if (traced.kind !== 'Job') promise(workload, traced)
    this.#noteCompletion(workload, traced, before === undefined)
  }

  #takeLoad(load: TracedLoad): void {
    this.#load.take(load)
    const workload = this.#byName.get(loadKey(load))?.traced
    if (workload !== undefined) this.#load.size(workload)
  }

  #dropWorkload(uid: string): void {
    const workload = this.#workloads.get(uid)
    if (workload?.traced === undefined) return
    const { replicas, cap } = workload.traced
    this.#desired -= replicas
    this.#cap -= cap
    this.#setFlags(workload, true, true)
    workload.traced = undefined
    workload.promised = 0
    this.#bound(workload)
  }

  /** When its pods or its cap have changed. */
  #bound(workload: WorkloadView | undefined, isReported = false): void {
    if (workload === undefined) return
    const before = workload.over
    boundPods(workload, isReported)
    this.#over += workload.over - before
  }

  #noteConditions(traced: TracedWorkload, before: TracedWorkload | undefined): void {
    const object = `${traced.kind}/${traced.name}`
    for (const { type, status, reason, message } of traced.conditions) {
      const old = before?.conditions.find((one) => one.type === type)
      if (old !== undefined && old.status === status && old.reason === reason) continue
      if (type === 'Progressing' && reason === 'ProgressDeadlineExceeded') this.#deadlines++
      // The first look at a workload shows what was there before.
      if (before === undefined && this.#nowMs === 0) continue
      this.#mark('condition', object, `${type}=${status}${reason ? ` ${reason}` : ''}${message ? `: ${message}` : ''}`)
    }
  }

  /** Before its completion is noted: what completes has made progress. */
  #noteProgress(workload: WorkloadView, traced: TracedWorkload, before: TracedWorkload | undefined): void {
    const isNew = before === undefined || before.generation !== traced.generation
    if (!isNew && !hasProgressed(traced, before) && !isCalledComplete(traced, isAllAvailable(traced))) return
    if (!isNew && !workload.isComplete) this.#longestStallMs = Math.max(this.#longestStallMs, this.#nowMs - workload.progressAtMs)
    workload.progressAtMs = this.#nowMs
  }

  #noteCompletion(workload: WorkloadView, traced: TracedWorkload, isFirst: boolean): void {
    const isAvailable = isAllAvailable(traced)
    const isComplete = isCalledComplete(traced, isAvailable) && failureOf(traced) === undefined
    this.#setFlags(workload, isAvailable, isComplete)
    if (!isFirst) return
    if (this.#unavailable === 0) this.#times.availableAtMs ??= this.#nowMs
    if (this.#incomplete === 0) this.#times.completeAtMs ??= this.#nowMs
  }

  #setFlags(workload: WorkloadView, isAvailable: boolean, isComplete: boolean): void {
    if (workload.isAvailable !== isAvailable) {
      workload.isAvailable = isAvailable
      this.#unavailable += isAvailable ? -1 : 1
      if (this.#unavailable === 0) this.#times.noteAvailable(this.#nowMs, this.#isAutoscaled)
    }
    if (workload.isComplete === isComplete) return
    workload.isComplete = isComplete
    this.#incomplete += isComplete ? -1 : 1
    if (this.#incomplete === 0) this.#times.noteComplete(this.#nowMs, this.#isAutoscaled, this.#old)
  }
}
