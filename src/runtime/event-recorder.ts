// Records what a controller does as Events, with the rules of Kubernetes' recorder: a repeated event increases a count,
// events that differ only in their message are combined, and the events about one object are rate limited. An event beyond the
// rate limit is not written, but the count of the next one like it includes it.
// Kubernetes: k8s.io/client-go/tools/record.recorderImpl.*, EventCorrelator.EventCorrelate, EventAggregatorByReasonFunc
// Kubernetes: k8s.io/client-go/tools/record.EventSourceObjectSpamFilter.Filter
import { coreEvents } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { CoreEvent, KubernetesObject, Stored } from '../api/types.ts'
import { type Clock, formatTime } from '../base/clock.ts'
import { dropOldest } from '../base/maps.ts'
import type { Client } from '../client/client.ts'

export interface EventRecorder {
  /** Returns at once and writes in the background. `object` needs kind, apiVersion and metadata. */
  record(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string, details?: EventDetails): void
}

interface EventDetails {
  /** The part of the object that the event is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** The node that reports the event. */
  readonly host?: string
}

interface EventRecorderOptions {
  readonly client: Client
  readonly clock: Clock
  /** The reporting component: `deployment-controller`. */
  readonly component: string
  /** How many events are written at a time. Default: 4. */
  readonly concurrentWrites?: number
  /** Beyond this, new events are dropped. Default: 10,000. */
  readonly maxQueueLength?: number
  /** Whether to record such events. Default: all. */
  isRecorded?(kind: string, reason: string): boolean
  onFailure?(what: string, error: unknown): void
}

/** Rate limit for each type of event about an object: a burst, then one event per `refillMs`. */
const burst = 25
const refillMs = 300_000
/** So many different messages are remembered within the window, and written separately; an event with a further one is combined. */
const similarLimit = 9
const similarWindowMs = 600_000
/** As many as Kubernetes remembers. */
const maxRemembered = 4096
const defaultConcurrentWrites = 4
const maxNameAttempts = 100
const defaultMaxQueueLength = 10_000
/** The queue is cut when more entries than this, and more than half of it, have been taken. */
const maxTaken = 100

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, component, isRecorded, onFailure } = options
  const { concurrentWrites = defaultConcurrentWrites, maxQueueLength = defaultMaxQueueLength } = options
  const budgets = new Recent<{ tokens: number; atMs: number }>()
  const similar = new Recent<{ messages: string | Set<string>; atMs: number }>()
  const observed = new Recent<Observed>()
  let queue: Entry[] = []
  /** Entries before this index have been taken. */
  let first = 0
  const underWay = new Map<string, Promise<void>>()
  let writing = 0
  let sequence = 0
  /** How many were dropped since the queue was last short enough. */
  let dropped = 0

  const isWithinBudget = (object: string, now: number): boolean => {
    const budget = budgets.getOrAdd(object, () => ({ tokens: burst, atMs: now }))
    budget.tokens = Math.min(burst, budget.tokens + (now - budget.atMs) / refillMs)
    budget.atMs = now
    if (budget.tokens < 1) return false
    budget.tokens--
    return true
  }

  /** Whether the event is combined with similar ones. */
  const isCombined = (group: string, message: string, now: number): boolean => {
    const record = similar.getOrAdd(group, () => ({ messages: message, atMs: now }))
    if (now - record.atMs > similarWindowMs) record.messages = message
    record.atMs = now
    // The common case: always the same message.
    if (record.messages === message) return false
    if (typeof record.messages === 'string') record.messages = new Set([record.messages])
    if (record.messages.has(message)) return false
    record.messages.add(message)
    if (record.messages.size <= similarLimit) return false
    // Kubernetes forgets any one of them.
    const [oldest] = record.messages
    record.messages.delete(oldest!)
    return true
  }

  const pump = () => {
    while (writing < concurrentWrites && first < queue.length) {
      const entry = queue[first++]!
      if (first === queue.length || first > Math.max(maxTaken, queue.length / 2)) {
        queue = queue.slice(first)
        first = 0
      }
      writing++
      // The count of an event is increased after the event was created.
      const before = underWay.get(entry.key)
      const done = before === undefined ? write(entry) : before.then(() => write(entry))
      underWay.set(entry.key, done)
      void done.then(() => {
        writing--
        if (underWay.get(entry.key) === done) underWay.delete(entry.key)
        pump()
      })
    }
  }

  const write = async ({ known, event, namespace, atMs }: Entry) => {
    try {
      if (known.name !== undefined) {
        try {
          await client.patch(coreEvents, { namespace, name: known.name }, 'merge', {
            count: event.count,
            lastTimestamp: event.lastTimestamp,
            message: event.message,
          })
          return
        } catch (error) {
          // It has expired: it is created again, and its count continues.
          if (!isStatusError(error, 'NotFound')) throw error
        }
      }
      await applyCreate(known, namespace, event, atMs)
    } catch (error) {
      // The namespace is terminating or was deleted.
      if (isStatusError(error, 'Forbidden') || isStatusError(error, 'NotFound')) return
      onFailure?.(`${component}: writing an event`, error)
    }
  }

  /** Another recorder may have used the name for an event in the same millisecond: then the next name is tried. */
  const applyCreate = async (known: Observed, namespace: string, event: CoreEvent, atMs: number) => {
    for (let tries = 1; ; tries++) {
      const name = known.name ?? `${event.involvedObject?.name ?? ''}.${hexNanoseconds(atMs, sequence++ % 1_000_000)}`
      known.name = name
      try {
        await client.create(coreEvents, namespace, { ...event, metadata: { name, namespace } }, { answer: 'metadata' })
        return
      } catch (error) {
        if (!isStatusError(error, 'AlreadyExists') || tries === maxNameAttempts) throw error
        known.name = undefined
      }
    }
  }

  return {
    record(object, type, reason, message, { fieldPath, host } = {}) {
      const { kind = '', apiVersion = '' } = object
      if (isRecorded?.(kind, reason) === false) return
      // As in Kubernetes, before anything is counted.
      if (queue.length - first >= maxQueueLength) return void dropped++
      if (dropped > 0) {
        onFailure?.(`${component}: recording events`, new Error(`${dropped} events were dropped: the server does not take them as fast`))
        dropped = 0
      }
      const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = (object as Stored<KubernetesObject>).metadata ?? {}
      // Joined: V8 would keep a string that was built with `+` as a tree of its parts.
      const subject = [kind, namespace, name, uid, apiVersion, type].join('/')
      const atMs = clock.now()
      const group = [subject, reason].join('/')
      const many = isCombined(group, message, atMs)
      const text = many ? `(combined from similar events): ${message}` : message
      const now = formatTime(atMs)
      const key = many ? group : [group, fieldPath, message].join('/')
      const known = observed.getOrAdd(key, () => ({ name: undefined, count: 0, firstTimestamp: now }))
      known.count++
      if (!isWithinBudget(subject, atMs)) return
      const event: CoreEvent = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace },
        involvedObject: {
          kind,
          ...((object as Stored<KubernetesObject>).metadata?.namespace !== undefined && { namespace }),
          name,
          uid,
          apiVersion,
          resourceVersion,
          ...(fieldPath !== undefined && { fieldPath }),
        },
        reason,
        message: text,
        source: { component, ...(host !== undefined && { host }) },
        firstTimestamp: known.firstTimestamp,
        lastTimestamp: now,
        count: known.count,
        type,
        // As in Kubernetes, a combined event has no reporting component, only a source.
        reportingComponent: many ? '' : component,
        ...(host !== undefined && !many && { reportingInstance: host }),
      }
      queue.push({ key, known, namespace, event, atMs })
      pump()
    },
  }
}

// Nanoseconds exceed what a number can hold exactly: two halves of 32 bits.
let lastMs = Number.NaN
let high = 0
let low = 0

function hexNanoseconds(ms: number, more: number): string {
  if (ms !== lastMs) {
    const nanoseconds = BigInt(ms) * 1_000_000n
    high = Number(nanoseconds >> 32n)
    low = Number(nanoseconds & 0xffff_ffffn)
    lastMs = ms
  }
  const sum = low + more
  return sum < 2 ** 32
    ? high.toString(16) + sum.toString(16).padStart(8, '0')
    : (high + 1).toString(16) + (sum - 2 ** 32).toString(16).padStart(8, '0')
}

interface Entry {
  readonly key: string
  readonly known: Observed
  readonly namespace: string
  readonly event: CoreEvent
  readonly atMs: number
}

interface Observed {
  /** Undefined until it is first written. */
  name: string | undefined
  /** How often it was recorded, including what the rate limit dropped. */
  count: number
  readonly firstTimestamp: string
}

/** A bounded map: it forgets the entry that was not used for longest. */
class Recent<T> {
  readonly #entries = new Map<string, T>()

  getOrAdd(key: string, make: () => T): T {
    const known = this.#entries.get(key)
    const value = known ?? make()
    if (known !== undefined) this.#entries.delete(key)
    this.#entries.set(key, value)
    dropOldest(this.#entries, maxRemembered)
    return value
  }
}
