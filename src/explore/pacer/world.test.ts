import { describe, expect, it } from 'vitest'
import { explore } from '../explorer.ts'
import { paced } from '../scopes.ts'
import { PacerWorld } from './world.ts'

describe('the pacer, in every order of events', () => {
  it.each([
    ['with a surge', { deletions: 1 }],
    ['without a surge', { maxSurge: 0, deletions: 1 }],
  ])('%s', (_name, changes) => {
    const { isComplete, violations } = explore(new PacerWorld({ ...paced, ...changes }))
    expect([isComplete, violations]).toEqual([true, []])
  })
})
