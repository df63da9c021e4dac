// The explorer as one bundle, into which bugs are planted.
import '../../api/kinds.ts'
import type { DeploymentScope } from '../deployment/scope.ts'
import { DeploymentWorld } from '../deployment/world.ts'
import { explore } from '../explorer.ts'
import { type JobScope, JobWorld } from '../job/world.ts'
import { PacerWorld } from '../pacer/world.ts'
import { paced, plain, task } from '../scopes.ts'
import type { World } from '../world.ts'

/** The first violation, with its actions. */
function findIn(world: World): string | undefined {
  const [violation] = explore(world).violations
  return violation && [violation.problem, ...violation.actions].join('\n')
}

export const findProblem = (changes: Partial<DeploymentScope>) => findIn(new DeploymentWorld({ ...plain, ...changes }))

export const findPacerProblem = () => findIn(new PacerWorld({ ...paced, deletions: 1 }))

export const findJobProblem = (changes: Partial<JobScope>) =>
  findIn(new JobWorld({ ...task, users: 0, replacesOnlyFailed: false, ...changes }))
