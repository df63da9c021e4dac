import { describe, expect, it } from 'vitest'
import { nextOperational } from './operational.ts'

const now = '2026-11-01T12:00:00Z'
const before = '2026-11-01T11:00:00Z'

describe('nextOperational()', () => {
  for (const [name, desired, available, threshold, status] of [
    ['all available', 3, 3, 0, 'True'],
    ['one missing, none may be', 3, 2, 0, 'False'],
    ['one missing, one may be', 3, 2, 1, 'True'],
    ['two missing, one may be', 3, 1, 1, 'False'],
    ['a quarter of ten may be missing, rounded down to two', 10, 8, '25%', 'True'],
    ['three of ten missing with a quarter', 10, 7, '25%', 'False'],
    ['a quarter of three is none', 3, 2, '25%', 'False'],
    ['all may be missing', 5, 0, '100%', 'True'],
    ['no replicas wanted', 0, 0, 0, 'True'],
    ['more available than wanted', 2, 5, 0, 'True'],
  ] as const)
    it(`${name}: ${status}`, () =>
      expect(nextOperational([], { kind: 'ReplicaSet', desired, available, threshold, now }).status).toBe(status))

  it('keeps its time while its status stays', () => {
    const current = [{ type: 'Operational', status: 'True', lastTransitionTime: before }]
    expect(nextOperational(current, { kind: 'ReplicaSet', desired: 1, available: 1, threshold: 0, now }).lastTransitionTime).toBe(before)
    expect(nextOperational(current, { kind: 'ReplicaSet', desired: 1, available: 0, threshold: 0, now })).toEqual({
      type: 'Operational',
      status: 'False',
      reason: 'InsufficientReplicasAvailable',
      message: 'ReplicaSet does not have enough available replicas.',
      lastTransitionTime: now,
    })
  })
})
