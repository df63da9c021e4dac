// A state of the world of a Deployment: what the API server stores, as far as the caches lag behind it, and the caches.
//
// Each kind has a stream of events. The cache is the state before the events that have not been delivered; the API server's is the state after
// the last of them. Pods are sorted, so that states that differ in the names of pods only are one state.

export interface Layout {
  /** How many events each cache may lag behind. A write beyond that delivers the oldest one. */
  readonly lag: { readonly deployments: number; readonly sets: number; readonly pods: number }
  /** The number of templates, and so of ReplicaSets at a time. */
  readonly templates: number
  readonly maxPods: number
  /** Whether the ReplicaSet has no pods and is to have none. */
  isEmpty(set: number): boolean
}

/** The controller that made a write waits until the cache has it. */
export const [byOthers, byDeployment, byReplicaSet] = [0, 1, 2]

const [idBits, slotShift] = [20, 20]
const idMask = (1 << idBits) - 1
const authorShift = 24

export const idOf = (event: number): number => event & idMask
const slotOf = (event: number): number => (event >> slotShift) & 3
const authorOf = (event: number): number => event >> authorShift

// A pod: its state in 3 bits, whether it is excused in 1, the template of its labels in 2, and its owner in 2.
/** `disrupted`: terminating, deleted by others, and its ReplicaSet waits for it. */
export const [gone, pending, ready, terminating, disrupted] = [0, 1, 2, 3, 4]
/** It does not count toward the cap: its ReplicaSet replaces it without its Deployment, or created it without one. */
const excusedBit = 8

export const podOf = (state: number, template: number, owner: number): number => state | (template << 4) | (owner << 6)
export const withPodState = (pod: number, state: number): number => (pod & ~7) | state
export const podState = (pod: number): number => pod & 7
export const isExcused = (pod: number): boolean => (pod & excusedBit) !== 0
export const podTemplate = (pod: number): number => (pod >> 4) & 3
/** The incarnation of the ReplicaSet; 0 for an orphan. */
export const podOwner = (pod: number): number => (pod >> 6) & 3
/** What planners can distinguish. */
export const visiblePod = (pod: number): number => (podState(pod) === disrupted ? pod - 1 : pod) & ~excusedBit
export const excused = (pod: number): number => visiblePod(pod) | excusedBit
export const isActivePod = (pod: number): boolean => podState(pod) === pending || podState(pod) === ready

export class State {
  /** How many more of these may happen. */
  users = 0
  deadlines = 0
  disruptions = 0
  deletions = 0
  failures = 0
  /** How many pods there may be: replicas + maxSurge, or more that existed or were requested before that was the limit. */
  bound = 0
  /** A ReplicaSet was deleted, and the pods of the cache were not compared with the API server's since (`unobserved-pods.ts`). */
  isUnchecked = 0
  /** The versions of the Deployment: the cached one first. */
  deployments: number[] = []
  /** The cached ReplicaSets, by template; 0 is none. */
  sets: number[] = []
  setEvents: number[] = []
  /** The cached pods. One that the cache does not have yet is `gone`. */
  pods: number[] = []
  podEvents: number[] = []
  readonly #lag: Layout['lag']
  readonly #isEmpty: Layout['isEmpty']

  constructor({ lag, isEmpty }: Layout) {
    this.#lag = lag
    this.#isEmpty = isEmpty
  }

  clone(layout: Layout): State {
    const next = new State(layout)
    next.users = this.users
    next.deadlines = this.deadlines
    next.disruptions = this.disruptions
    next.deletions = this.deletions
    next.failures = this.failures
    next.bound = this.bound
    next.isUnchecked = this.isUnchecked
    next.deployments = this.deployments.slice()
    next.sets = this.sets.slice()
    next.setEvents = this.setEvents.slice()
    next.pods = this.pods.slice()
    next.podEvents = this.podEvents.slice()
    return next
  }

  get cachedDeployment(): number {
    return idOf(this.deployments[0]!)
  }

  get deployment(): number {
    return idOf(this.deployments[this.deployments.length - 1]!)
  }

  /** The stored ReplicaSet; 0 is none. */
  set(template: number): number {
    for (let at = this.setEvents.length - 1; at >= 0; at--) if (slotOf(this.setEvents[at]!) === template) return idOf(this.setEvents[at]!)
    return this.sets[template]!
  }

  /** All versions of the ReplicaSet from the cached to the stored one. */
  versionsOf(template: number): number[] {
    const found = [this.sets[template]!]
    for (const event of this.setEvents) if (slotOf(event) === template) found.push(idOf(event))
    return found
  }

  isSetCurrent(template: number): boolean {
    for (const event of this.setEvents) if (slotOf(event) === template) return false
    return true
  }

  /** The stored pod. */
  pod(index: number): number {
    for (let at = this.podEvents.length - 1; at >= 0; at--)
      if ((this.podEvents[at]! & 15) === index) return (this.podEvents[at]! >> 4) & 255
    return this.pods[index]!
  }

  /** Whether the caches lack a write of the Deployment controller. */
  isDeploymentBehind(): boolean {
    for (let at = 1; at < this.deployments.length; at++) if (authorOf(this.deployments[at]!) === byDeployment) return true
    for (const event of this.setEvents) if (authorOf(event) === byDeployment) return true
    return false
  }

  /** Whether the caches lack a write of the ReplicaSet controller about this ReplicaSet. */
  isSetBehind(template: number): boolean {
    for (const event of this.setEvents) if (slotOf(event) === template && authorOf(event) === byReplicaSet) return true
    for (const event of this.podEvents) if (event >> 12 !== 0 && podTemplate((event >> 4) & 255) === template) return true
    return false
  }

  writeDeployment(id: number, author: number): void {
    this.deployments.push(id | (author << authorShift))
  }

  deliverDeployment(): void {
    this.deployments.shift()
    this.deployments[0] = this.cachedDeployment
  }

  writeSet(template: number, id: number, author: number): void {
    this.setEvents.push(id | (template << slotShift) | (author << authorShift))
  }

  deliverSet(): void {
    const event = this.setEvents.shift()!
    const template = slotOf(event)
    if (idOf(event) === 0 && !this.#isEmpty(this.sets[template]!)) this.isUnchecked = 1
    this.sets[template] = idOf(event)
  }

  writePod(index: number, pod: number, author: number): void {
    this.podEvents.push(index | (pod << 4) | ((author === byReplicaSet ? 1 : 0) << 12))
  }

  /** Delivers what exceeds the lag. */
  trim(): void {
    while (this.deployments.length - 1 > this.#lag.deployments) this.deliverDeployment()
    while (this.setEvents.length > this.#lag.sets) this.deliverSet()
    while (this.podEvents.length > this.#lag.pods) this.deliverPod()
  }

  deliverAll(): void {
    while (this.deployments.length > 1) this.deliverDeployment()
    while (this.setEvents.length > 0) this.deliverSet()
    while (this.podEvents.length > 0) this.deliverPod()
  }

  /** Changes all versions of the pod, without an event. */
  rewritePod(index: number, change: (pod: number) => number): void {
    if (this.pods[index] !== gone) this.pods[index] = change(this.pods[index]!)
    for (let at = 0; at < this.podEvents.length; at++) {
      const event = this.podEvents[at]!
      const pod = (event >> 4) & 255
      if ((event & 15) === index && pod !== gone) this.podEvents[at] = (event & ~0xff0) | (change(pod) << 4)
    }
  }

  createPod(pod: number, author: number): void {
    this.pods.push(gone)
    this.writePod(this.pods.length - 1, pod, author)
  }

  deliverPod(): void {
    const event = this.podEvents.shift()!
    const index = event & 15
    const pod = (event >> 4) & 255
    this.pods[index] = pod
    if (pod !== gone) return
    this.pods.splice(index, 1)
    this.podEvents = this.podEvents.map((one) => ((one & 15) > index ? one - 1 : one))
  }

  /** Sorts the pods: by their cached state, then by their events. Equal pods are indistinguishable. */
  sortPods(): void {
    const { pods, podEvents } = this
    const events = podEvents.length
    let isSorted = true
    const keys: number[] = []
    for (let index = 0; index < pods.length; index++) {
      let key = pods[index]! << 4
      for (let at = 0; at < events; at++) {
        if ((podEvents[at]! & 15) !== index) continue
        key |= at + 1
        break
      }
      keys.push(key)
      if (index > 0 && keys[index - 1]! > key) isSorted = false
    }
    if (isSorted) return
    const order = keys.map((_, index) => index).sort((a, b) => keys[a]! - keys[b]!)
    const placeOf: number[] = []
    for (let place = 0; place < order.length; place++) placeOf[order[place]!] = place
    this.pods = order.map((index) => pods[index]!)
    for (let at = 0; at < events; at++) podEvents[at] = (podEvents[at]! & ~15) | placeOf[podEvents[at]! & 15]!
  }
}

export const widthOf = ({ lag, templates, maxPods }: Layout): number =>
  1 + 1 + lag.deployments + templates + lag.sets + Math.ceil(maxPods / 4) + Math.ceil(lag.pods / 2)

export function encode(state: State, { lag, templates, maxPods }: Layout, words: Int32Array): void {
  state.sortPods()
  const { deployments, setEvents, pods, podEvents } = state
  words.fill(0)
  words[0] =
    state.users |
    (state.deadlines << 3) |
    (state.disruptions << 5) |
    (state.deletions << 7) |
    (state.failures << 9) |
    (state.bound << 11) |
    (state.isUnchecked << 15) |
    ((deployments.length - 1) << 16) |
    (setEvents.length << 18) |
    (podEvents.length << 21) |
    (pods.length << 25)
  let at = 1
  for (let index = 0; index < deployments.length; index++) words[at + index] = deployments[index]!
  at += 1 + lag.deployments
  for (let index = 0; index < templates; index++) words[at + index] = state.sets[index]!
  at += templates
  for (let index = 0; index < setEvents.length; index++) words[at + index] = setEvents[index]!
  at += lag.sets
  for (let index = 0; index < pods.length; index++) words[at + (index >> 2)]! |= pods[index]! << ((index & 3) * 8)
  at += Math.ceil(maxPods / 4)
  for (let index = 0; index < podEvents.length; index++) words[at + (index >> 1)]! |= podEvents[index]! << ((index & 1) * 16)
}

export function decode(words: Int32Array, layout: Layout): State {
  const { lag, templates, maxPods } = layout
  const state = new State(layout)
  const head = words[0]!
  state.users = head & 7
  state.deadlines = (head >> 3) & 3
  state.disruptions = (head >> 5) & 3
  state.deletions = (head >> 7) & 3
  state.failures = (head >> 9) & 3
  state.bound = (head >> 11) & 15
  state.isUnchecked = (head >> 15) & 1
  const deployments = 1 + ((head >> 16) & 3)
  const setEvents = (head >> 18) & 7
  const podEvents = (head >> 21) & 15
  const pods = (head >> 25) & 15
  let at = 1
  for (let index = 0; index < deployments; index++) state.deployments.push(words[at + index]!)
  at += 1 + lag.deployments
  for (let index = 0; index < templates; index++) state.sets.push(words[at + index]!)
  at += templates
  for (let index = 0; index < setEvents; index++) state.setEvents.push(words[at + index]!)
  at += lag.sets
  for (let index = 0; index < pods; index++) state.pods.push((words[at + (index >> 2)]! >>> ((index & 3) * 8)) & 255)
  at += Math.ceil(maxPods / 4)
  for (let index = 0; index < podEvents; index++) state.podEvents.push((words[at + (index >> 1)]! >>> ((index & 1) * 16)) & 0xffff)
  return state
}
