import { describe, expect, it } from 'vitest'
import type { Pod, Service, Stored } from '../../../api/types.ts'
import { planTriggerTime, type TriggerState, withTriggerTime } from './trigger-time.ts'

const at = (second: number) => `2026-11-01T00:00:${String(second).padStart(2, '0')}Z`
const service = { metadata: { name: 'web', creationTimestamp: at(10) } } as unknown as Stored<Service>
const pod = (name: string, second?: number) =>
  ({
    metadata: { name },
    status: { conditions: second === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: at(second) }] },
  }) as unknown as Stored<Pod>
const syncedWith = (...pods: Stored<Pod>[]): TriggerState => planTriggerTime(undefined, service, pods).state

describe('planTriggerTime()', () => {
  it.each([
    ['the creation of a Service at the first sync', undefined, [pod('a', 5), pod('b', 20)], at(10)],
    ['nothing where no pod changed its readiness', syncedWith(pod('a', 20)), [pod('a', 20)], undefined],
    ['the change of a pod', syncedWith(pod('a', 20)), [pod('a', 25)], at(25)],
    ['the earliest of several changes', syncedWith(pod('a', 20)), [pod('a', 25), pod('b', 22), pod('c', 30)], at(22)],
    ['a pod that is new', syncedWith(), [pod('a', 5)], at(5)],
    ['nothing for pods that never were ready', syncedWith(), [pod('a')], undefined],
  ])('%s', (_, last, pods, expected) => {
    expect(planTriggerTime(last, service, pods).time).toBe(expected)
  })
})

describe('withTriggerTime()', () => {
  it('replaces the time, and removes it where nothing triggered the change', () => {
    const annotations = { note: 'x', 'endpoints.kubernetes.io/last-change-trigger-time': at(1) }
    expect(withTriggerTime(annotations, at(2))).toEqual({ note: 'x', 'endpoints.kubernetes.io/last-change-trigger-time': at(2) })
    expect(withTriggerTime(annotations, undefined)).toEqual({ note: 'x' })
    expect(withTriggerTime(undefined, undefined)).toBeUndefined()
  })
})
