// The faults that can be requested. Types and names only: the command line prints them without loading a cluster.

export const nodeActions = ['down', 'up', 'drain'] as const
export const podActions = ['crash', 'hang', 'unready', 'fail-readiness', 'fail-liveness', 'recover'] as const
export const apiActions = ['slow', 'refuse'] as const
/** The verbs of requests to the API server. */
export const apiVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
/**
 * Of the events of watches: `hold` (they wait until the fault ends), `merge` (likewise, and those of one object become one), `rewind` (likewise, and lists from a
 * cache show an earlier state), `delay`, `drop`. Of requests: `refuse`, `lose` (handled, but the response is lost), `cut` (lost before it is handled), `slow`.
 * `expire` ends the watches with 410 Gone.
 */
export const clientActions = ['hold', 'rewind', 'merge', 'delay', 'drop', 'refuse', 'lose', 'cut', 'slow', 'expire'] as const
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

export interface ClientOrder {
  readonly target: 'client'
  readonly action: (typeof clientActions)[number]
  /** Prefixes of the client's User-Agent. Default: all clients. */
  readonly agents?: readonly string[]
  /** Names of users: `system:serviceaccount:shop:operator`. Default: all. */
  readonly users?: readonly string[]
  /** Of the requests that are affected. Default: all. */
  readonly verbs?: readonly string[]
  /** Of the requests or events. Custom resources by their plural. Default: all. */
  readonly kinds?: readonly string[]
  readonly namespaces?: readonly string[]
  /** Names of objects. */
  readonly names?: readonly string[]
  /** `status`, `scale`, …; '' is the object itself. */
  readonly subresources?: readonly string[]
  /** The first requests or events that are not affected. Default 0. */
  readonly skip?: number
  /** How many requests or events are affected. Default: all. */
  readonly times?: number
  /** For `refuse`: 409, 429, 500, 503 or 504. Default 503. */
  readonly code?: number
  /** For `delay` and `slow`. Default 200ms. */
  readonly delay?: string
  /** For `rewind`: how many revisions before its beginning. Default 0. */
  readonly back?: number
  /** The fault begins when these requests of the clients have been answered: `patch statefulsets 3`. Default: at once. */
  readonly after?: string
  /** The fault ends then. */
  readonly until?: string
  readonly for?: string
}

export interface ControllerOrder {
  readonly target: 'controller'
  /** `all` means every controller. */
  readonly name: string
  readonly action: (typeof controllerActions)[number]
  readonly for?: string
}

export type FaultOrder = NodeOrder | PodOrder | ApiOrder | ClientOrder | ControllerOrder

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
