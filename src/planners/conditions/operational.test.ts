import { describe, expect, it } from 'vitest'
import { nextOperational } from './operational.ts'

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
    ['a threshold that cannot be read is none', 2, 1, 'half', 'False'],
  ] as const)
    it(`${name}: ${status}`, () => expect(nextOperational('ReplicaSet', desired, available, threshold).status).toBe(status))

  it('says why', () => {
    expect(nextOperational('Deployment', 1, 0)).toEqual({
      status: 'False',
      reason: 'InsufficientReplicasAvailable',
      message: 'Deployment does not have enough available replicas.',
    })
    expect(nextOperational('Deployment', 1, 1)).toEqual({
      status: 'True',
      reason: 'SufficientReplicasAvailable',
      message: 'Deployment has enough available replicas.',
    })
  })
})
