// What can go wrong on demand, in words and types. Nothing else is here, so that the command line can print it without
// loading a cluster, and tests can name it without knowing one.

export const nodeActions = ['down', 'up', 'drain'] as const
export const podActions = ['crash', 'hang', 'unready', 'fail-readiness', 'fail-liveness', 'recover'] as const
export const apiActions = ['slow', 'refuse'] as const
export const controllerActions = ['stop', 'start', 'stale', 'restart'] as const

export interface NodeOrder {
  readonly target: 'node'
  readonly name: string
  readonly action: (typeof nodeActions)[number]
  /** How long, in the time of the cluster: `5m`. Absent: until somebody ends it. */
  readonly for?: string
}

export interface PodOrder {
  readonly target: 'pod'
  readonly name: string
  /** Default `default`. */
  readonly namespace?: string
  readonly action: (typeof podActions)[number]
  /** Default: all of them. */
  readonly container?: string
  /** Of a crash. Default 137. */
  readonly exitCode?: number
  /** A crash without it happens once. */
  readonly for?: string
}

export interface ApiOrder {
  readonly target: 'api'
  readonly action: (typeof apiActions)[number]
  /** So long each request waits. Default 200ms where it is slow, and none where it refuses. */
  readonly delay?: string
  /** Of the requests: `10%`. Default: all. */
  readonly share?: string
  /** Of the refusal: 429, 500 or 503. Default 503. */
  readonly code?: number
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. Default: all. */
  readonly verbs?: readonly string[]
  /** By any of their names: `pods`, `deploy`. Default: all. */
  readonly kinds?: readonly string[]
  /** How the User-Agent of the client begins; controllers and nodes have their names: `kubectl`, `job-controller`, `kubelet`. */
  readonly agents?: readonly string[]
  readonly for?: string
}

export interface ControllerOrder {
  readonly target: 'controller'
  /** `all` is every one. */
  readonly name: string
  readonly action: (typeof controllerActions)[number]
  readonly for?: string
}

export type FaultOrder = NodeOrder | PodOrder | ApiOrder | ControllerOrder

/** A fault that goes on. */
export interface Fault {
  readonly id: string
  /** As it was ordered. */
  readonly order: FaultOrder
  /** RFC 3339, in the time of the cluster. */
  readonly since: string
  /** Absent: until somebody ends it. */
  readonly until?: string
  /** How far it has come. */
  readonly progress?: string
}
