// The worlds that are explored, by name. Those of `ci` take a minute of a processor; the others are for a change of the planners.
import type { DeploymentScope } from './deployment/scope.ts'
import { DeploymentWorld } from './deployment/world.ts'
import { type JobScope, JobWorld } from './job/world.ts'
import { type PacerScope, PacerWorld } from './pacer/world.ts'
import type { World } from './world.ts'

const [none, started, complete, asActive, both] = [0, 1, 2, 3, 4]

/** A rolling update with a surge, without faults. */
export const plain: DeploymentScope = {
  name: 'plain',
  isRecreate: false,
  maxSurge: 1,
  maxUnavailable: 0,
  historyLimit: 10,
  replicas: [0, 1, 2],
  starts: [{ replicas: 1, policy: complete }],
  policies: [],
  templates: 2,
  maxPods: 14,
  lag: { deployments: 1, sets: 1, pods: 1 },
  users: 1,
  deadlines: 0,
  disruptions: 0,
  deletions: 0,
  failures: 0,
  hasStops: false,
  hasPauses: false,
  hasCombinedChanges: false,
}

const lag2 = { deployments: 2, sets: 2, pods: 2 }
const faulty = { hasStops: true, disruptions: 1 }
/** Two ReplicaSets and up to 3 replicas. */
const two: DeploymentScope = {
  ...plain,
  replicas: [0, 1, 2, 3],
  starts: [{ replicas: 2, policy: complete }],
  lag: lag2,
  hasStops: true,
  hasPauses: true,
}
const every = [none, started, complete, asActive, both]

const ci: readonly DeploymentScope[] = [
  { ...two, name: 'disrupted', disruptions: 1 },
  {
    ...two,
    name: 'counting as active',
    replicas: [1, 2],
    starts: [{ replicas: 1, policy: asActive }],
    policies: [complete],
    disruptions: 1,
  },
  { ...plain, name: 'deleted', deletions: 1 },
  { ...plain, name: 'deleted in two changes', replicas: [1], starts: [{ replicas: 1, policy: complete }], users: 2, deletions: 1 },
  { ...two, name: 'Recreate', isRecreate: true, maxSurge: 0, users: 2 },
  { ...two, name: 'two changes', users: 2 },
  { ...two, name: 'created', starts: [none, started, complete].map((policy) => ({ replicas: 2, policy, isNew: true })) },
]

const full: readonly DeploymentScope[] = [
  { ...two, name: 'two changes, no policy', starts: [none, started].map((policy) => ({ replicas: 2, policy })), users: 2 },
  {
    ...plain,
    name: 'policies',
    policies: every,
    starts: every.map((policy) => ({ replicas: 1, policy })),
    hasCombinedChanges: true,
    ...faulty,
  },
]

const large: readonly DeploymentScope[] = [
  { ...two, name: 'three sets', templates: 3, replicas: [0, 1, 2], users: 3 },
  { ...two, name: 'everything', replicas: [1, 2, 3], ...faulty, deadlines: 1, deletions: 1, failures: 1 },
]

export const paced: PacerScope = {
  name: 'pacer',
  replicas: [2, 0, 1, 3],
  maxSurge: 1,
  revisions: 2,
  maxPods: 8,
  lag: { deployments: 2, sets: 0, pods: 2 },
  users: 1,
  deletions: 2,
}

/** A Job of 2 completions, without its replacement policy. */
export const task: Omit<JobScope, 'replacesOnlyFailed'> = {
  name: 'Job',
  completions: 2,
  isIndexed: false,
  backoffLimit: 6,
  lag: { pods: 2 },
  maxPods: 10,
  parallelism: [2, 1],
  canSuspend: true,
  users: 1,
  disruptions: 1,
  failures: 0,
  hasStops: true,
}

const jobs: readonly (JobScope & { readonly isInCi: boolean })[] = [
  { ...task, name: 'Job, replaced at once', replacesOnlyFailed: false, isInCi: true },
  { ...task, name: 'Job, replaced when failed', replacesOnlyFailed: true, failures: 1, isInCi: true },
  { ...task, name: 'Indexed Job, replaced at once', replacesOnlyFailed: false, isIndexed: true, isInCi: true },
  { ...task, name: 'Job that fails', replacesOnlyFailed: false, backoffLimit: 0, failures: 1, isInCi: true },
  { ...task, name: 'Job, replaced at once, with failures', replacesOnlyFailed: false, failures: 1, isInCi: false },
  { ...task, name: 'Indexed Job, replaced when failed', replacesOnlyFailed: true, isIndexed: true, failures: 1, isInCi: false },
  { ...task, name: 'Indexed Job, replaced at once, with failures', replacesOnlyFailed: false, isIndexed: true, failures: 1, isInCi: false },
  { ...task, name: 'Job of three', completions: 3, parallelism: [2, 3], replacesOnlyFailed: true, isInCi: false },
]

interface NamedWorld {
  readonly name: string
  readonly isInCi: boolean
  /** Too large for its states to be stored whole: they are surveyed. */
  readonly isLarge: boolean
  open(): World
}

export const worlds: readonly NamedWorld[] = [
  ...[...ci, ...full, ...large].map((scope) => ({
    name: scope.name,
    isInCi: ci.includes(scope),
    isLarge: large.includes(scope),
    open: () => new DeploymentWorld(scope),
  })),
  ...jobs.map(({ isInCi, ...scope }) => ({ name: scope.name, isInCi, isLarge: false, open: () => new JobWorld(scope) })),
  { name: paced.name, isInCi: true, isLarge: false, open: () => new PacerWorld(paced) },
]
