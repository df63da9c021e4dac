// The faults that can be requested. Types and names only: the command line prints them without loading a cluster.

export const nodeActions = ['down', 'up', 'drain'] as const
export const podActions = ['crash', 'hang', 'unready', 'fail-readiness', 'fail-liveness', 'recover'] as const
export const apiActions = ['slow', 'refuse'] as const
/** The verbs of requests to the API server. */
export const apiVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
export const controllerActions = ['stop', 'start', 'stale', 'restart'] as const

export interface NodeOrder {
  readonly target: 'node'
  readonly name: string
  readonly action: (typeof nodeActions)[number]
  /** How long the fault lasts, in cluster time: `5m`. Absent: until it is cleared. */
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
  /** For the action `crash`. Default 137. */
  readonly exitCode?: number
  /** Absent for the action `crash`: the containers crash once. */
  readonly for?: string
}

export interface ApiOrder {
  readonly target: 'api'
  readonly action: (typeof apiActions)[number]
  /** How long each request waits. Default: 200ms for `slow`, none for `refuse`. */
  readonly delay?: string
  /** The share of the requests that is affected: `10%`. Default: all. */
  readonly share?: string
  /** The status code of the refusal: 429, 500 or 503. Default 503. */
  readonly code?: number
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. Default: all. */
  readonly verbs?: readonly string[]
  /** Any name of a kind: `pods`, `deploy`. Default: all. */
  readonly kinds?: readonly string[]
  /** Prefixes of the client's User-Agent: `kubectl`, `job-controller`, `kubelet`. Controllers and nodes use their own names. */
  readonly agents?: readonly string[]
  readonly for?: string
}

export interface ControllerOrder {
  readonly target: 'controller'
  /** `all` means every controller. */
  readonly name: string
  readonly action: (typeof controllerActions)[number]
  readonly for?: string
}

export type FaultOrder = NodeOrder | PodOrder | ApiOrder | ControllerOrder

/** An active fault. */
export interface Fault {
  readonly id: string
  /** As it was requested. */
  readonly order: FaultOrder
  /** RFC 3339, in cluster time. */
  readonly since: string
  /** Absent: until it is cleared. */
  readonly until?: string
  /** Human-readable, for a fault that takes steps, such as a drain. */
  readonly progress?: string
}
