// The smallest worlds. CI explores larger ones with `npm run explore`.
import { describe, expect, it } from 'vitest'
import { explore } from '../explorer.ts'
import { task } from '../scopes.ts'
import { type JobScope, JobWorld } from './world.ts'

describe('a Job, in every order of events', () => {
  it.each<[string, Partial<JobScope>]>([
    ['a pod is deleted by others', {}],
    ['a pod is deleted by others, and is replaced when it has terminated', { replacesOnlyFailed: true }],
    ['a pod of an index is deleted by others', { isIndexed: true, hasStops: false }],
    ['a pod fails', { disruptions: 0, failures: 1 }],
    ['a pod fails, and the Job with it', { disruptions: 0, failures: 1, backoffLimit: 0 }],
    ['is suspended or scaled', { disruptions: 0, users: 1, hasStops: false }],
  ])('%s', (_name, changes) => {
    const world = new JobWorld({ ...task, users: 0, replacesOnlyFailed: false, ...changes })
    const { isComplete, violations } = explore(world, { findsAll: true })
    expect([isComplete, ...violations.map(({ problem, actions }) => [problem, ...actions].join('\n'))]).toEqual([true])
  })
})
