// The worlds that are explored, by name. Those of `ci` take less than three minutes on two processors; the others are for a change of the planners.
import type { DeploymentScope } from './deployment/scope.ts'
import { DeploymentWorld } from './deployment/world.ts'
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
const two: DeploymentScope = {
  ...plain,
  name: 'two changes',
  replicas: [0, 1, 2, 3],
  starts: [{ replicas: 2, policy: complete }],
  users: 2,
  hasStops: true,
  hasPauses: true,
}

const ci: readonly DeploymentScope[] = [
  {
    ...plain,
    name: 'created',
    starts: [
      { replicas: 2, policy: complete, isNew: true },
      { replicas: 2, policy: none, isNew: true },
      { replicas: 0, policy: complete },
    ],
    ...faulty,
    lag: lag2,
  },
  { ...plain, name: 'disrupted', starts: [{ replicas: 2, policy: complete }], ...faulty, deadlines: 1 },
  { ...plain, name: 'disrupted, no surge', starts: [{ replicas: 2, policy: complete }], maxSurge: 0, maxUnavailable: 1, ...faulty },
  { ...plain, name: 'disrupted, counting as active', starts: [{ replicas: 2, policy: asActive }], ...faulty },
  { ...plain, name: 'deleted', deletions: 1 },
  { ...two, name: 'Recreate', isRecreate: true, maxSurge: 0 },
  {
    ...plain,
    name: 'Recreate, disrupted',
    starts: [
      { replicas: 2, policy: complete },
      { replicas: 2, policy: started },
      { replicas: 2, policy: none },
    ],
    isRecreate: true,
    maxSurge: 0,
    ...faulty,
  },
  two,
  {
    ...plain,
    name: 'policies',
    policies: [none, started, complete, asActive, both],
    starts: [none, started, complete, asActive, both].map((policy) => ({ replicas: 1, policy })),
    hasCombinedChanges: true,
    replicas: [1, 2],
    ...faulty,
  },
]

const full: readonly DeploymentScope[] = [
  { ...two, name: 'two changes, lag 2', lag: lag2 },
  {
    ...two,
    name: 'two changes, no policy',
    starts: [
      { replicas: 2, policy: none },
      { replicas: 2, policy: started },
    ],
  },
  { ...two, name: 'three sets', templates: 3, replicas: [0, 1, 2], users: 3 },
  {
    ...plain,
    name: 'everything',
    replicas: [1, 2, 3],
    starts: [{ replicas: 2, policy: complete }],
    ...faulty,
    deadlines: 1,
    deletions: 1,
    failures: 1,
    hasPauses: true,
  },
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

interface NamedWorld {
  readonly name: string
  readonly isInCi: boolean
  open(): World
}

export const worlds: readonly NamedWorld[] = [
  ...[...ci, ...full].map((scope) => ({ name: scope.name, isInCi: ci.includes(scope), open: () => new DeploymentWorld(scope) })),
  { name: paced.name, isInCi: true, open: () => new PacerWorld(paced) },
]
