// A server of verbs on an empty memory store, with a clock that stands still and chance that repeats, for the tests here.

import { configMaps, namespaces, pods } from '../../../api/kinds.ts'
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import { isStatusError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Status } from '../../../api/types.ts'
import type { Clock } from '../../../base/clock.ts'
import { seededRandom } from '../../../base/random.ts'
import { openMemoryStore } from '../../../store/memory-store.ts'
import type { Store } from '../../../store/store.ts'
import { createRest, type RestOptions } from '../create-rest.ts'
import type { ObjectResponse, Rest, WatchEvent, WatchQuery, WriteOptions, WriteResult } from '../rest.ts'

export const configMapKind = configMaps
export const podKind = pods
export const namespaceKind = namespaces

export const options: WriteOptions = { caller: { name: 'tester', groups: ['system:masters'] }, manager: 'test' }

export const input = (object: unknown): { readonly object: unknown } => ({ object })

interface TestClock extends Clock {
  /** Moves time on and runs what is due. */
  pass(ms: number): void
}

function standingClock(startMs = Date.UTC(2026, 10, 1, 12)): TestClock {
  let nowMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pass(ms) {
      nowMs += ms
      for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
        timers.delete(timer)
        timer.run()
      }
    },
  }
}

export interface Bench {
  readonly rest: Rest
  readonly store: Store
  readonly clock: TestClock
  /** The object need not name its kind. */
  create(kind: Kind, object: object, namespace?: string): Promise<KubernetesObject>
  /** The events of a watch so far, as `TYPE name`. */
  watch(kind: Kind, namespace: string, query?: WatchQuery): { readonly events: WatchEvent[]; close(): void }
}

/** The namespace `default` exists. */
export async function openBench(more: Partial<RestOptions> = {}): Promise<Bench> {
  const store = more.store ?? openMemoryStore()
  const clock = standingClock()
  const rest = frozen(createRest({ store, clock, random: seededRandom(1), ...more }))
  const create = async (kind: Kind, object: object, namespace = 'default') => {
    const named = { kind: kind.kind, apiVersion: apiVersionOf(kind), ...object }
    return (await rest.create(kind, kind.namespaced ? namespace : '', input(named), options)).response.object
  }
  await create(namespaceKind, { metadata: { name: 'default' } })
  return {
    rest,
    store,
    clock,
    create,
    watch(kind, namespace, query = {}) {
      const events: WatchEvent[] = []
      const close = rest.watch(kind, namespace, query, { onEvents: (more) => events.push(...more) })
      return { events, close }
    },
  }
}

/** Answers are shared with the store: an attempt to change one throws a TypeError. */
function frozen(rest: Rest): Rest {
  const freeze = (written: WriteResult) => {
    deepFreeze(written.response.object)
    return written
  }
  return {
    ...rest,
    create: async (...given) => freeze(await rest.create(...given)),
    update: async (...given) => freeze(await rest.update(...given)),
    patch: async (...given) => freeze(await rest.patch(...given)),
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
}

export function shown(events: readonly WatchEvent[]): string[] {
  return events.map(({ type, object }) => {
    if (type === 'ERROR') return `${type} ${(object as Status).message}`
    const { metadata } = (object as ObjectResponse).object
    return `${type} ${metadata?.name ?? ''}`.trim()
  })
}

/** The Status that a refused request gives. */
export async function refusal(request: Promise<unknown> | (() => unknown)): Promise<Status> {
  try {
    await (typeof request === 'function' ? request() : request)
  } catch (error) {
    if (isStatusError(error)) return error.status
    throw error
  }
  throw new Error('Expected a refusal, got an answer')
}

export const configMap = (name: string, more: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  data: { a: '1' },
  ...more,
})

export const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, labels: { app: 'x' }, ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx:1.25' }], ...spec },
})
