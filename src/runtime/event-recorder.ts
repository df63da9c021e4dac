// Tells people what a controller does, as Events on the object. The same rules as Kubernetes' recorder: an event that
// repeats is counted instead of written again, many that differ only in their words become one, and a source that says
// too much about one object is cut off.
import { coreEvents } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { CoreEvent, KubernetesObject, Stored } from '../api/types.ts'
import { type Clock, formatTime } from '../base/clock.ts'
import type { Client } from '../client/client.ts'

export interface EventRecorder {
  /** Returns at once; the event is written when there is time. `object` needs kind, apiVersion and metadata. */
  record(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string, place?: EventPlace): void
}

/** Where it happened, more precisely. */
export interface EventPlace {
  /** The part of the object: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** The node that speaks. */
  readonly host?: string
}

export interface EventRecorderOptions {
  readonly client: Client
  readonly clock: Clock
  /** Who speaks: `deployment-controller`. */
  readonly component: string
  /** Which events somebody wants to read. Absent: all. */
  tells?(kind: string, reason: string): boolean
  onFailure?(what: string, error: unknown): void
}

/** So many events of one type about one object at once, then one in five minutes. */
const burst = 25
const refillMs = 300_000
/** So many similar events within ten minutes are told one by one. */
const similarLimit = 10
const similarWindowMs = 600_000
const remembered = 4096
const writesAtATime = 4
const mostNames = 100
/** A recorder that is far behind drops what is new: events are for people, not for the record. */
const longestQueue = 10_000

export function createEventRecorder({ client, clock, component, tells, onFailure }: EventRecorderOptions): EventRecorder {
  const budgets = new Recent<{ tokens: number; atMs: number }>()
  const similar = new Recent<{ messages: string | Set<string>; atMs: number }>()
  const written = new Recent<Written>()
  let queue: Entry[] = []
  /** Those before it are taken. */
  let first = 0
  const underWay = new Map<string, Promise<void>>()
  let writing = 0
  let sequence = 0

  const isWithinBudget = (object: string): boolean => {
    const now = clock.now()
    const budget = budgets.getOrAdd(object, () => ({ tokens: burst, atMs: now }))
    budget.tokens = Math.min(burst, budget.tokens + (now - budget.atMs) / refillMs)
    budget.atMs = now
    if (budget.tokens < 1) return false
    budget.tokens--
    return true
  }

  /** Words that differ too often are no longer told apart. */
  const isOneOfMany = (group: string, message: string): boolean => {
    const now = clock.now()
    const record = similar.getOrAdd(group, () => ({ messages: message, atMs: now }))
    if (now - record.atMs > similarWindowMs) record.messages = message
    record.atMs = now
    // Most say the same always.
    if (record.messages === message) return false
    if (typeof record.messages === 'string') record.messages = new Set([record.messages])
    if (record.messages.size < similarLimit) {
      record.messages.add(message)
      return record.messages.size >= similarLimit
    }
    return true
  }

  const pump = () => {
    while (writing < writesAtATime && first < queue.length) {
      const entry = queue[first++]!
      if (first === queue.length) {
        queue = []
        first = 0
      }
      writing++
      // What is counted on an event waits until the event is there.
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

  const write = async ({ key, event, namespace }: Entry) => {
    const known = written.get(key)
    try {
      if (known !== undefined) {
        known.count++
        try {
          await client.patch(coreEvents, { namespace, name: known.name }, 'merge', {
            count: known.count,
            lastTimestamp: event.lastTimestamp,
            message: event.message,
          })
          return
        } catch (error) {
          if (!isStatusError(error, 'NotFound')) throw error
          known.count = 1
        }
      }
      await applyCreate(key, namespace, event)
    } catch (error) {
      // The namespace is going or gone: there is nobody left to tell.
      if (isStatusError(error, 'Forbidden') || isStatusError(error, 'NotFound')) return
      onFailure?.(`${component}: writing an event`, error)
    }
  }

  /** Another recorder may have had something to say of the object in the same millisecond: then the name is taken. */
  const applyCreate = async (key: string, namespace: string, event: CoreEvent) => {
    for (let tries = 1; ; tries++) {
      const name = eventName(event.involvedObject?.name ?? '')
      written.set(key, { name, count: 1 })
      try {
        await client.create(coreEvents, namespace, { ...event, metadata: { name, namespace } })
        return
      } catch (error) {
        if (!isStatusError(error, 'AlreadyExists') || tries === mostNames) throw error
      }
    }
  }

  const eventName = (name: string) => `${name}.${hexNanoseconds(clock.now(), sequence++ % 1_000_000)}`

  return {
    record(object, type, reason, message, { fieldPath, host } = {}) {
      const { kind = '', apiVersion = '' } = object
      if (tells?.(kind, reason) === false) return
      const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = (object as Stored<KubernetesObject>).metadata ?? {}
      // Joined, as what is put together with `+` would be kept in its parts.
      const about = [kind, namespace, name, uid, apiVersion, type].join('/')
      if (!isWithinBudget(about) || queue.length - first >= longestQueue) return
      const group = [about, reason].join('/')
      const many = isOneOfMany(group, message)
      const text = many ? `(combined from similar events): ${message}` : message
      const now = formatTime(clock.now())
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
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
        type,
        reportingComponent: component,
        ...(host !== undefined && { reportingInstance: host }),
      }
      queue.push({ key: many ? group : [group, fieldPath, message].join('/'), namespace, event })
      pump()
    },
  }
}

// Both beyond what a number can hold exactly: in two halves of 32 bits.
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
  readonly namespace: string
  readonly event: CoreEvent
}

interface Written {
  readonly name: string
  count: number
}

/** The newest few thousand entries: those of this generation, and those of the one before that were asked for no more. */
class Recent<T> {
  #young = new Map<string, T>()
  #old = new Map<string, T>()

  get(key: string): T | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const older = this.#old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  getOrAdd(key: string, make: () => T): T {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }

  set(key: string, value: T): void {
    this.#young.set(key, value)
    if (this.#young.size < remembered) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
