// What `rollcall/testing` offers. Types only.
import type { FeatureGateName } from '../api/machinery/feature-gates.ts'
import type * as kube from '../api/types.ts'
import type { Duration } from '../base/duration.ts'
import type { Client, DeleteOptions, PatchType } from '../client/client.ts'
import type { Fault, FaultOrder } from '../cluster/faults/fault-types.ts'

export type { Fault, FaultOrder } from '../cluster/faults/fault-types.ts'

/** Nodes of one kind: `count` of them, named `name-1`, `name-2`, … */
export interface NodeGroup {
  /** Default `node`. */
  readonly name?: string
  /** Default 1. */
  readonly count?: number
  /** Default 4. */
  readonly cpu?: string
  /** Default 16Gi. */
  readonly memory?: string
  /** Default 110. */
  readonly pods?: number
  /** Default 100Gi. */
  readonly ephemeralStorage?: string
  /** More resources, such as `nvidia.com/gpu`. */
  readonly resources?: Readonly<Record<string, string>>
  readonly region?: string
  /** In turns. Default zone-a, zone-b, zone-c. */
  readonly zones?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: NonNullable<NonNullable<kube.Node['spec']>['taints']>
}

/** Nodes that come when pods find no place, and go when nobody needs them. */
export interface AutoscaleOptions {
  readonly min: number
  readonly max: number
  /** What they are like. Default: as the first group of `nodes`, whose nodes then count as well. */
  readonly node?: NodeGroup
  /** From the wish for a node until it is there. Default 60s. */
  readonly delay?: Duration
  /** How long nobody has needed a node when it goes. Default 10m. */
  readonly idleAfter?: Duration
}

export interface CreateClusterOptions {
  /** How many, or groups of them with sizes, zones, labels and taints. Default 3. */
  readonly nodes?: number | readonly NodeGroup[]
  readonly autoscale?: AutoscaleOptions
  /** KWOK's Stages, by which pods and nodes live: what their files say, or the objects. */
  readonly stages?: string | readonly object[]
  /** Images that cannot be pulled: `shop/web:2`, `shop/web` for all its tags, `shop/*:beta*`. */
  readonly missingImages?: readonly string[]
  /** The same seed gives the same cluster life, byte for byte. Default 1. */
  readonly seed?: number
  readonly gates?: Partial<Record<FeatureGateName, boolean>>
  /** RFC 3339. Default 2026-01-01T00:00:00Z. */
  readonly startTime?: string
  /** How often nodes renew their Leases. Default 10s, as in Kubernetes; longer makes long simulations faster. */
  readonly heartbeat?: Duration
  /** Draws the order of what happens at the same time from the seed, instead of first come, first served. */
  readonly interleave?: boolean
  /** The controllers' calls to the server take up to so long. */
  readonly callDelay?: Duration
  /** The controllers hear of changes up to so much later. */
  readonly watchDelay?: Duration
  /** Whether breaches of what must always hold end the test. Default true; false saves time in large clusters. */
  readonly invariants?: boolean
  /** An object that is written more often while time stands still is written without end, which ends the test. Default 50000. */
  readonly maxWritesAtOnce?: number
}

/** The kinds by name, for the types of what `get` and `list` return. Plurals, short names and other kinds work as well. */
export interface KindTypes {
  readonly pod: kube.Pod
  readonly deployment: kube.Deployment
  readonly replicaset: kube.ReplicaSet
  readonly replicationcontroller: kube.ReplicationController
  readonly statefulset: kube.StatefulSet
  readonly daemonset: kube.DaemonSet
  readonly job: kube.Job
  readonly cronjob: kube.CronJob
  readonly node: kube.Node
  readonly namespace: kube.Namespace
  readonly service: kube.Service
  readonly configmap: kube.ConfigMap
  readonly secret: kube.Secret
  readonly event: kube.CoreEvent
  readonly persistentvolumeclaim: kube.PersistentVolumeClaim
  readonly poddisruptionbudget: kube.PodDisruptionBudget
  readonly resourcequota: kube.ResourceQuota
}

/** Any other object: look into it as you need. */
export interface OtherObject extends kube.KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

export type ObjectOf<K extends string> = kube.Stored<K extends keyof KindTypes ? KindTypes[K] : OtherObject>

export interface ListOptions {
  /** Default `default`; '' is all of them. */
  readonly namespace?: string
  /** `app=web,tier in (a,b)`. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface PatchCall {
  readonly namespace?: string
  /** Default merge. */
  readonly type?: PatchType
  readonly subresource?: string
}

export interface UntilOptions {
  readonly within?: Duration
  /** For the message: `until …`. */
  readonly what?: string
}

/** A cluster in virtual time. Time stands still but in `advance`, `until`, `settle`, and in starting and stopping controllers. */
export interface TestCluster {
  readonly seed: number
  /** Every verb of the API, for what the shorter ways below do not do. */
  readonly client: Client
  /** Milliseconds since 1970, in virtual time. */
  now(): number
  /** What went wrong inside, a line each: refused writes and the like. Conflicts are ordinary. */
  readonly failures: readonly string[]

  /** Server-side apply of YAML (one or more documents), of an object, or of several. Nothing has happened to it yet when it resolves. */
  apply(input: string | object | readonly object[]): Promise<kube.Stored<kube.KubernetesObject>[]>
  /** Undefined when there is none. */
  get<K extends string>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K> | undefined>
  list<K extends string>(kind: K, options?: ListOptions): Promise<readonly ObjectOf<K>[]>
  /** A merge patch unless `type` says otherwise. */
  patch<K extends string>(kind: K, name: string, patch: object, options?: PatchCall): Promise<ObjectOf<K>>
  scale(kind: string, name: string, replicas: number, namespace?: string): Promise<void>
  delete(kind: string, name: string, options?: DeleteOptions & { readonly namespace?: string }): Promise<void>
  /** As `kubectl drain` does it: disruption budgets may refuse. */
  evict(pod: string, namespace?: string): Promise<void>
  /** `Reason: message` of every event of a namespace, in the order in which they were first seen. */
  events(namespace?: string): Promise<string[]>

  /** All that happens in that time: `10m`, or milliseconds. */
  advance(duration: Duration): Promise<void>
  /**
   * Moves time until the condition holds, and returns what it returned. It is asked now, and after every event that
   * changed something. Rejects after `within` (default 5m) of virtual time.
   */
  until<T>(condition: () => T | Promise<T>, options?: UntilOptions): Promise<Exclude<T, undefined | null | false | 0 | ''>>
  /**
   * Moves time until no workload or pod has changed for `quiet` (default 1m), and checks that the counts in the statuses
   * are those of the pods. Rejects after `within` (default 1h), or after `maxWrites` writes (default: no limit).
   */
  settle(options?: { readonly within?: Duration; readonly quiet?: Duration; readonly maxWrites?: number }): Promise<void>

  /** They end what they are doing, and then nobody looks after anything. */
  stopControllers(): Promise<void>
  /** They die between two calls, wherever they are. */
  crashControllers(): Promise<void>
  startControllers(): Promise<void>
  /** The controllers' next writes fail. `applied`: the server does them, creations apart, but the answer is lost. */
  failNextWrites(count: number, options?: { readonly applied?: boolean }): void
  /** Changes how slow the controllers' calls and watches are from now on. */
  delay(delays: { readonly calls?: Duration; readonly watches?: Duration }): void
  /** The node goes silent: no heartbeats, and nothing happens to its pods. */
  stopNode(name: string): void
  startNode(name: string): void
  /**
   * Makes trouble, in the words of `rollcall chaos`: `{ target: 'pod', name: 'web-1', action: 'hang', for: '5m' }`. Resolves
   * to what goes on of it; undefined: it is over, as a crash is.
   */
  fault(order: FaultOrder): Promise<Fault | undefined>
  /** What was ordered and goes on. */
  faults(): readonly Fault[]
  /** Ends the fault of that id, or all of them. */
  endFaults(id?: string): Promise<void>

  /** Every write as a line: `+61.5s create pods default/web-1 r57`. Leases are left out. */
  trace(): readonly string[]
  /** What must always hold and did not, a line each. */
  readonly breaches: readonly string[]
  stop(): Promise<void>
}
