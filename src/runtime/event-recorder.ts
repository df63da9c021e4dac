// Tells people what a controller does, as Events on the object. The same rules as Kubernetes' recorder: an event that
// repeats is counted instead of written again, many that differ only in their words become one, and a source that says
// too much about one object is cut off.
import { coreEvents } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
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
  onFailure?(what: string, error: unknown): void
}

/** So many events about one object at once, then one in five minutes. */
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

export function createEventRecorder({ client, clock, component, onFailure }: EventRecorderOptions): EventRecorder {
  const budgets = new Recent<{ tokens: number; atMs: number }>()
  const similar = new Recent<{ messages: Set<string>; atMs: number }>()
  const written = new Recent<Written>()
  const queue: Entry[] = []
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
    const record = similar.getOrAdd(group, () => ({ messages: new Set(), atMs: now }))
    if (now - record.atMs > similarWindowMs) record.messages.clear()
    record.atMs = now
    if (record.messages.size < similarLimit) {
      record.messages.add(message)
      return record.messages.size >= similarLimit
    }
    return true
  }

  const pump = () => {
    while (writing < writesAtATime && queue.length > 0) {
      const entry = queue.shift()!
      writing++
      // What is counted on an event waits until the event is there.
      const done = (underWay.get(entry.key) ?? Promise.resolve())
        .then(() => write(entry))
        .finally(() => {
          writing--
          if (underWay.get(entry.key) === done) underWay.delete(entry.key)
          pump()
        })
      underWay.set(entry.key, done)
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

  const eventName = (name: string) => `${name}.${(BigInt(clock.now()) * 1_000_000n + BigInt(sequence++ % 1_000_000)).toString(16)}`

  return {
    record(object, type, reason, message, { fieldPath, host } = {}) {
      const { kind = '', apiVersion = '' } = object
      const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = (object as Stored<KubernetesObject>).metadata ?? {}
      const about = `${kind}/${namespace}/${name}/${uid}/${apiVersion}${fieldPath === undefined ? '' : `/${fieldPath}`}`
      if (!isWithinBudget(about) || queue.length >= longestQueue) return
      const group = `${about}/${type}/${reason}`
      const many = isOneOfMany(group, message)
      const text = many ? `(combined from similar events): ${message}` : message
      const now = formatTime(clock.now())
      const event: CoreEvent = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace },
        involvedObject: {
          kind,
          name,
          apiVersion,
          uid,
          resourceVersion,
          ...((object as Stored<KubernetesObject>).metadata?.namespace !== undefined && { namespace }),
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
      queue.push({ key: many ? group : `${group}/${message}`, namespace, event })
      pump()
    },
  }
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

/** The newest few thousand entries. */
class Recent<T> {
  readonly #entries = new Map<string, T>()

  get(key: string): T | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  getOrAdd(key: string, make: () => T): T {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }

  set(key: string, value: T): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > remembered) this.#entries.delete(this.#entries.keys().next().value!)
  }
}
