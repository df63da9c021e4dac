import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { availableAtMs, isActive, isAvailable, isReady, isTerminal, isTerminating } from './pod-state.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)

describe('the state of a pod', () => {
  it.each<[string, string, boolean, string]>([
    ['Pending', 'Pending', false, 'active'],
    ['Running', 'Running', false, 'active'],
    ['Unknown', 'Unknown', false, 'active'],
    ['Running and being deleted', 'Running', true, 'terminating'],
    ['Failed', 'Failed', false, 'terminal'],
    ['Succeeded', 'Succeeded', false, 'terminal'],
    ['Failed and being deleted', 'Failed', true, 'terminal'],
  ])('%s', (_, phase, isDeleted, expected) => {
    const pod: Pod = { metadata: isDeleted ? { deletionTimestamp: '2026-11-01T12:00:00Z' } : {}, status: { phase } }
    const states = { active: isActive(pod), terminating: isTerminating(pod), terminal: isTerminal(pod) }
    expect(Object.entries(states).filter(([, is]) => is)).toEqual([[expected, true]])
  })

  const ready = (status: string, lastTransitionTime?: string): Pod => ({
    status: { conditions: [{ type: 'Ready', status, ...(lastTransitionTime !== undefined && { lastTransitionTime }) }] },
  })

  it.each<[string, Pod, number, number | undefined, boolean]>([
    ['no conditions', {}, 0, undefined, false],
    ['not ready', ready('False', '2026-11-01T11:00:00Z'), 0, undefined, false],
    ['ready, nothing to wait for', ready('True', '2026-11-01T13:00:00Z'), 0, Number.NEGATIVE_INFINITY, true],
    ['ready for exactly long enough', ready('True', '2026-11-01T11:59:50Z'), 10, nowMs, true],
    ['a second short of it', ready('True', '2026-11-01T11:59:51Z'), 10, nowMs + 1000, false],
    ['since an unknown time', ready('True'), 10, Number.POSITIVE_INFINITY, false],
  ])('%s', (_, pod, minReadySeconds, atMs, isSo) => {
    expect(availableAtMs(pod, minReadySeconds)).toBe(atMs)
    expect(isAvailable(pod, minReadySeconds, nowMs)).toBe(isSo)
    expect(isReady(pod)).toBe(atMs !== undefined)
  })
})
