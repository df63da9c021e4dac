// A state of the world of a Job: what the API server stores, as far as the caches lag behind it, and the caches. Pods are sorted, so that states
// that differ in the names of pods only are one state.

// A pod: its phase in 2 bits, whether it is deleted, whether it has the tracking finalizer, its index in 2, and which list of uncounted pods it is
// in, in the stored Job and in the cached one, in 2 bits each.
export const [gone, active, succeeded, failed] = [0, 1, 2, 3]
const [deletedBit, trackedBit, podMask] = [4, 8, 63]
/** The lists of uncounted pods. */
export const [unlisted, listedSucceeded, listedFailed] = [0, 1, 2]

/** What the API server stores of a pod. 0 if it does not exist. */
export const podOf = (index: number): number => active | trackedBit | (index << 4)
export const phaseOf = (pod: number): number => pod & 3
export const isDeleted = (pod: number): boolean => (pod & deletedBit) !== 0
export const isTracked = (pod: number): boolean => (pod & trackedBit) !== 0
export const indexOf = (pod: number): number => (pod >> 4) & 3
/** A deleted pod that has ended is removed as soon as nothing keeps it. */
const removed = (pod: number): number => (isDeleted(pod) && phaseOf(pod) !== active && !isTracked(pod) ? gone : pod)
export const ended = (pod: number, phase: number): number => removed((pod & ~3) | phase)
export const deleted = (pod: number): number => removed(pod | deletedBit)
export const untracked = (pod: number): number => removed(pod & ~trackedBit)

const [storedListShift, cachedListShift] = [6, 8]

export interface Layout {
  /** How many events each cache may lag behind. A write beyond that delivers the oldest one. */
  readonly lag: { readonly pods: number }
  readonly maxPods: number
}

const ownBit = 1 << 20
const idMask = ownBit - 1

export class State {
  /** How many more of these may happen. */
  users = 0
  disruptions = 0
  failures = 0
  /** The cached Job, and the stored one. */
  cachedJob = 0
  job = 0
  /** The cache lacks a change of the Job, and whether it is one of its controller. */
  isJobBehind = false
  isJobOwn = false
  /** The cached pods with their lists. One that no cache, list or event has is 0. */
  pods: number[] = []
  /** Which pod, what the API server stores of it then, and whether its controller wrote it. */
  podEvents: { readonly slot: number; readonly pod: number; readonly isOwn: boolean }[] = []

  clone(): State {
    const next = new State()
    Object.assign(next, this)
    next.pods = this.pods.slice()
    next.podEvents = this.podEvents.slice()
    return next
  }

  cachedPod(slot: number): number {
    return this.pods[slot]! & podMask
  }

  /** The stored pod. */
  pod(slot: number): number {
    for (let at = this.podEvents.length - 1; at >= 0; at--) if (this.podEvents[at]!.slot === slot) return this.podEvents[at]!.pod
    return this.cachedPod(slot)
  }

  cachedList(slot: number): number {
    return (this.pods[slot]! >> cachedListShift) & 3
  }

  storedList(slot: number): number {
    return (this.pods[slot]! >> storedListShift) & 3
  }

  /** Whether the caches lack a write of the Job controller. */
  isBehind(): boolean {
    return (this.isJobBehind && this.isJobOwn) || this.podEvents.some(({ isOwn }) => isOwn)
  }

  /** `lists`: of its status, by pod; absent: they stay. */
  writeJob(job: number, isOwn: boolean, lists?: readonly number[]): void {
    this.deliverJob()
    this.job = job
    this.isJobBehind = true
    this.isJobOwn = isOwn
    if (lists !== undefined)
      for (let slot = 0; slot < this.pods.length; slot++)
        this.pods[slot] = (this.pods[slot]! & ~(3 << storedListShift)) | ((lists[slot] ?? unlisted) << storedListShift)
  }

  deliverJob(): void {
    this.cachedJob = this.job
    this.isJobBehind = false
    this.isJobOwn = false
    for (let slot = 0; slot < this.pods.length; slot++)
      this.pods[slot] = (this.pods[slot]! & ~(3 << cachedListShift)) | (this.storedList(slot) << cachedListShift)
  }

  writePod(slot: number, pod: number, isOwn: boolean): void {
    if (this.pod(slot) !== pod) this.podEvents.push({ slot, pod, isOwn })
  }

  createPod(pod: number): void {
    this.pods.push(gone)
    this.podEvents.push({ slot: this.pods.length - 1, pod, isOwn: true })
  }

  deliverPod(): void {
    const { slot, pod } = this.podEvents.shift()!
    this.pods[slot] = (this.pods[slot]! & ~podMask) | pod
  }

  deliverAll(): void {
    this.deliverJob()
    while (this.podEvents.length > 0) this.deliverPod()
  }

  /** Delivers what exceeds the lag, forgets pods that nothing has, and sorts the others. */
  normalize({ lag }: Layout): void {
    while (this.podEvents.length > lag.pods) this.deliverPod()
    const keys = this.pods.map((pod, slot) => {
      let key = pod << 6
      for (const [at, event] of this.podEvents.entries()) if (event.slot === slot) key |= 1 << (5 - at)
      return key
    })
    const order = keys.flatMap((key, slot) => (key === 0 ? [] : [slot])).sort((a, b) => keys[a]! - keys[b]!)
    const placeOf = new Map(order.map((slot, place) => [slot, place]))
    this.pods = order.map((slot) => this.pods[slot]!)
    this.podEvents = this.podEvents.map((event) => ({ ...event, slot: placeOf.get(event.slot)! }))
  }
}

export const widthOf = ({ lag, maxPods }: Layout): number => 3 + Math.ceil(maxPods / 2) + Math.ceil(lag.pods / 2)

export function encode(state: State, { maxPods }: Layout, words: Int32Array): void {
  const { pods, podEvents } = state
  words.fill(0)
  words[0] = state.users | (state.disruptions << 3) | (state.failures << 6) | (pods.length << 9) | (podEvents.length << 13)
  words[1] = state.cachedJob
  words[2] = state.isJobBehind ? state.job | (state.isJobOwn ? ownBit : 0) : 0
  for (const [slot, pod] of pods.entries()) words[3 + (slot >> 1)]! |= pod << ((slot & 1) * 16)
  const at = 3 + Math.ceil(maxPods / 2)
  for (const [place, { slot, pod, isOwn }] of podEvents.entries())
    words[at + (place >> 1)]! |= (slot | (pod << 4) | (isOwn ? 1 << 10 : 0)) << ((place & 1) * 16)
}

export function decode(words: Int32Array, { maxPods }: Layout): State {
  const state = new State()
  const head = words[0]!
  state.users = head & 7
  state.disruptions = (head >> 3) & 7
  state.failures = (head >> 6) & 7
  state.cachedJob = words[1]!
  state.isJobBehind = words[2] !== 0
  state.isJobOwn = (words[2]! & ownBit) !== 0
  state.job = state.isJobBehind ? words[2]! & idMask : state.cachedJob
  for (let slot = 0; slot < ((head >> 9) & 15); slot++) state.pods.push((words[3 + (slot >> 1)]! >>> ((slot & 1) * 16)) & 0xffff)
  const at = 3 + Math.ceil(maxPods / 2)
  for (let place = 0; place < ((head >> 13) & 15); place++) {
    const event = (words[at + (place >> 1)]! >>> ((place & 1) * 16)) & 0xffff
    state.podEvents.push({ slot: event & 15, pod: (event >> 4) & podMask, isOwn: event >> 10 !== 0 })
  }
  return state
}
