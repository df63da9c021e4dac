import { describe, expect, it } from 'vitest'
import { nextOperational } from './operational.ts'

const now = '2026-11-01T12:00:00Z'
const nowMs = Date.parse(now)
const before = '2026-11-01T11:00:00Z'

describe('nextOperational()', () => {
  for (const [name, desired, available, threshold, status] of [
    ['all available', 3, 3, '100%', 'True'],
    ['one of three unavailable, 100% required', 3, 2, '100%', 'False'],
    ['two available, two required', 3, 2, 2, 'True'],
    ['one available, two required', 3, 1, 2, 'False'],
    ['90% of ten is nine', 10, 9, '90%', 'True'],
    ['eight of ten are not 90%', 10, 8, '90%', 'False'],
    ['75% of ten rounds up to eight', 10, 8, '75%', 'True'],
    ['seven of ten are less than 75%', 10, 7, '75%', 'False'],
    ['1% of three rounds up to one', 3, 0, '1%', 'False'],
    ['7% of a hundred is exactly seven', 100, 7, '7%', 'True'],
    ['a number above the desired replicas means all: available', 2, 2, 5, 'True'],
    ['a number above the desired replicas means all: unavailable', 2, 1, 5, 'False'],
    ['none required', 5, 0, 0, 'True'],
    ['0% required', 5, 0, '0%', 'True'],
    ['no replicas desired', 0, 0, '100%', 'True'],
    ['no replicas desired, one required', 0, 0, 1, 'True'],
    ['more available than desired', 2, 5, '100%', 'True'],
  ] as const)
    it(`${name}: ${status}`, () =>
      expect(nextOperational([], { kind: 'ReplicaSet', desired, available, threshold, nowMs }).status).toBe(status))

  it('keeps lastTransitionTime while the status stays the same', () => {
    const current = [{ type: 'Operational', status: 'True', lastTransitionTime: before }]
    expect(nextOperational(current, { kind: 'ReplicaSet', desired: 1, available: 1, threshold: '100%', nowMs }).lastTransitionTime).toBe(
      before,
    )
    expect(nextOperational(current, { kind: 'ReplicaSet', desired: 1, available: 0, threshold: '100%', nowMs })).toEqual({
      type: 'Operational',
      status: 'False',
      reason: 'InsufficientReplicasAvailable',
      message: 'ReplicaSet does not have enough available replicas.',
      lastTransitionTime: now,
    })
  })

  it('returns the identical condition when nothing changes', () => {
    const input = { kind: 'ReplicaSet', desired: 1, available: 1, threshold: '100%', nowMs }
    const condition = nextOperational([], input)
    expect(nextOperational([condition], { ...input, nowMs: nowMs + 1000 })).toBe(condition)
  })
})
