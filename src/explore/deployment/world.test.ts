// The smallest worlds. CI explores larger ones with `npm run explore`.
import { describe, expect, it } from 'vitest'
import { explore } from '../explorer.ts'
import { plain } from '../scopes.ts'
import type { DeploymentScope } from './scope.ts'
import { DeploymentWorld } from './world.ts'

const lag2 = { deployments: 2, sets: 2, pods: 2 }
const problemsOf = (scope: DeploymentScope) => {
  const { isComplete, violations } = explore(new DeploymentWorld(scope), { findsAll: true })
  return [isComplete, ...violations.map(({ problem, actions }) => [problem, ...actions].join('\n'))]
}

describe('a Deployment, in every order of events', () => {
  it.each<[string, Partial<DeploymentScope>]>([
    ['is scaled, or its template changes', {}],
    ['without a policy', { starts: [{ replicas: 1, policy: 0 }] }],
    ['under TerminationStarted', { starts: [{ replicas: 1, policy: 1 }] }],
    ['writes fail and the process restarts', { hasStops: true }],
    ['a pod is deleted by others', { disruptions: 1, users: 0 }],
    ['a pod is deleted by others, and counts as active', { disruptions: 1, users: 0, starts: [{ replicas: 1, policy: 3 }] }],
    ['a ReplicaSet is deleted', { deletions: 1, users: 0 }],
    ['pods are refused', { failures: 1 }],
    ['the deadline passes', { deadlines: 1 }],
    ['Recreate', { isRecreate: true, maxSurge: 0 }],
    ['is scaled three times', { templates: 1, replicas: [1, 2], starts: [{ replicas: 2, policy: 2 }], users: 3, lag: lag2 }],
    ['is paused and resumed', { hasPauses: true }],
    ['the policy changes', { policies: [0, 1, 2, 3, 4] }],
  ])('%s', (_name, changes) => {
    expect(problemsOf({ ...plain, ...changes })).toEqual([true])
  })
})
