// The public interface of `rollcall/testing`. Types only.

import type { KindTypes } from '../../api/generated/kind-types.ts'
import type { FeatureGateName } from '../../api/machinery/feature-gates.ts'
import type * as kube from '../../api/types.ts'
import type { Duration } from '../../base/duration.ts'
import type { Client, DeleteOptions, PatchType } from '../../client/client.ts'
import type { Fault, FaultOrder } from '../../cluster/faults/fault-types.ts'

export type { KindTypes } from '../../api/generated/kind-types.ts'
export type * from '../../api/types.ts'
export type { Fault, FaultOrder } from '../../cluster/faults/fault-types.ts'

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
  /** In rotation. Default zone-a, zone-b, zone-c. */
  readonly zones?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: NonNullable<NonNullable<kube.Node['spec']>['taints']>
}

/** Adds nodes when pods are unschedulable, and removes unneeded nodes. */
export interface AutoscaleOptions {
  readonly min: number
  readonly max: number
  /** The added nodes. Default: like the first group of `nodes`, whose nodes then count as well. */
  readonly node?: NodeGroup
  /** How long adding a node takes. Default 60s. */
  readonly delay?: Duration
  /** How long a node must be unneeded before it is removed. Default 10m. */
  readonly idleAfter?: Duration
}

export interface CreateClusterOptions {
  /** A file of `rollcall save`: the cluster starts from its objects, with its simulated nodes and at its time. */
  readonly from?: string
  /** The number of nodes, or groups with sizes, zones, labels and taints. Default 3. */
  readonly nodes?: number | readonly NodeGroup[]
  readonly autoscale?: AutoscaleOptions
  /** KWOK's Stages for pods and nodes, as YAML or as objects. */
  readonly stages?: string | readonly object[]
  /** Images that cannot be pulled: `shop/web:2`, `shop/web` for all its tags, `shop/*:beta*`. */
  readonly missingImages?: readonly string[]
  /** The same seed gives the same run, byte for byte. Default 1. */
  readonly seed?: number
  readonly gates?: Partial<Record<FeatureGateName, boolean>>
  /** RFC 3339. Default 2026-01-01T00:00:00Z, or the time of `from`. */
  readonly startTime?: string
  /** How often nodes renew their Leases. Default 10s, as in Kubernetes; longer makes long simulations faster. */
  readonly heartbeat?: Duration
  /**
   * `rollcall pacer` with its admission: `asked` paces workloads and namespaces with rollcall.dev/pod-replacement-policy:
   * TerminationComplete, `all` paces every ReplicaSet and Job. Default: no pacer.
   */
  readonly pacer?: 'asked' | 'all'
  /** Events at the same time happen in a random order, instead of first come, first served. */
  readonly interleave?: boolean
  /** The maximum delay of the controllers' calls to the server. */
  readonly callDelay?: Duration
  /** The maximum delay of the controllers' watch events. */
  readonly watchDelay?: Duration
  /** Whether a violated invariant ends the test. Default true; false saves time in large clusters. */
  readonly invariants?: boolean
  /** How often one object may be written at the same virtual time. More writes count as endless, and end the test. Default 50000. */
  readonly maxWritesAtOnce?: number
}

/** Every name by which a kind can be given: `deployment`, `deployments`, `deploy`, `Deployment`, `deployments.apps`. */
export type KindName = keyof KindTypes

/** A kind and a name: `deployment/web`. */
export type WorkloadName = `${KindName}/${string}`

/** The type of the objects of a kind, by any of its names. */
export type ObjectOf<K extends KindName> = kube.Stored<KindTypes[K]>

/** The kinds of manifests: `Deployment`. */
type ManifestKind = Exclude<KindName, Lowercase<string>> | 'List'

/** API groups that hold no custom resources. */
type BuiltInGroup =
  | 'apps'
  | 'batch'
  | 'autoscaling'
  | 'policy'
  | 'networking.k8s.io'
  | 'rbac.authorization.k8s.io'
  | 'storage.k8s.io'
  | 'scheduling.k8s.io'
  | 'discovery.k8s.io'
  | 'admissionregistration.k8s.io'

/** `unknown` where the kind is known or is not a literal, or where the object may be a custom resource. */
type CheckedKind<T> = T extends { readonly apiVersion: infer V; readonly kind: infer K extends string }
  ? string extends K
    ? unknown
    : V extends 'v1' | `${BuiltInGroup}/${string}`
      ? K extends ManifestKind
        ? unknown
        : { readonly kind: ManifestKind }
      : unknown
  : unknown

/** A misspelt kind of a built-in group does not compile. */
type CheckedKinds<T> = T extends readonly unknown[] ? { readonly [I in keyof T]: CheckedKind<T[I]> } : CheckedKind<T>

export interface ListOptions {
  /** Default `default`; '' means all namespaces. */
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
  readonly within?: Duration | undefined
  /** Completes the message of a timeout: `waiting until …`. */
  readonly what?: string | undefined
}

/** Reads and writes objects. The default namespace is `default`. */
export interface ObjectCalls {
  /** Server-side apply of YAML (one or more documents), of an object, or of several. When it resolves, no controller has acted on the objects yet. */
  apply<const T extends string | object | readonly object[]>(input: T & CheckedKinds<T>): Promise<kube.Stored<kube.KubernetesObject>[]>
  /** Undefined where there is no such object. */
  get<K extends KindName>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K> | undefined>
  list<K extends KindName>(kind: K, options?: ListOptions): Promise<readonly ObjectOf<K>[]>
  /** A merge patch, unless `type` is given. */
  patch<K extends KindName>(kind: K, name: string, patch: object, options?: PatchCall): Promise<ObjectOf<K>>
  scale(kind: KindName, name: string, replicas: number, namespace?: string): Promise<void>
  delete(kind: KindName, name: string, options?: DeleteOptions & { readonly namespace?: string }): Promise<void>
  /** Through the eviction API, as `kubectl drain` does: disruption budgets may refuse. */
  evict(pod: string, namespace?: string): Promise<void>
  /** `Reason: message` of every event of a namespace, in the order of their first occurrence. */
  events(namespace?: string): Promise<string[]>
}

/** The moment at which a workload had most pods above its cap. */
interface PeakOverCap {
  /** Since the start of the cluster: `+61.5s`. */
  readonly at: string
  /** Terminating ones included. */
  readonly pods: number
  /** replicas + maxSurge of a Deployment, the parallelism of a Job, the replicas of any other workload. */
  readonly cap: number
  /** `8 ready, 2 starting, 5 terminating`. */
  readonly counts: string
}

/** A cluster in virtual time. Time advances only in `advance`, `until`, `settle`, and while controllers start and stop. */
export interface TestCluster extends ObjectCalls, AsyncDisposable {
  readonly seed: number
  /** Every verb of the API, for requests that the methods below do not cover. */
  readonly client: Client
  /** Milliseconds since 1970, in virtual time. */
  now(): number
  /** Failures inside the cluster, such as refused writes. Conflicts are ordinary. */
  readonly failures: readonly string[]

  /** Advances time, and processes all events in it: `10m`, or milliseconds. */
  advance(duration: Duration): Promise<void>
  /**
   * Advances time until the condition returns a truthy value, and returns it. The condition is evaluated now, and after every event that
   * changed an object. Rejects after `within` (default 5m) of virtual time.
   */
  until<T>(condition: () => T | Promise<T>, options?: UntilOptions): Promise<Exclude<T, undefined | null | false | 0 | ''>>
  /**
   * Advances time until no workload or pod has changed for `quiet` (default 1m), and checks that the counts in the statuses
   * match the pods. Rejects after `within` (default 1h), or after `maxWrites` writes (default: no limit).
   */
  settle(options?: { readonly within?: Duration; readonly quiet?: Duration; readonly maxWrites?: number }): Promise<void>

  /** The controllers finish their current work and stop. */
  stopControllers(): Promise<void>
  /** The controllers die between two calls, at whatever point they have reached. */
  crashControllers(): Promise<void>
  startControllers(): Promise<void>
  /**
   * Starts a replica of the pacer. The replicas elect a leader. `elects: false`: a second installation, which takes no part in their
   * election, and acts at the same time.
   */
  startPacer(options?: { readonly elects?: boolean }): void
  /** The replicas of the pacer finish their current work and stop, and the leader gives up the Lease. */
  stopPacers(): Promise<void>
  /** The replicas of the pacer die between two calls. The Lease of the leader expires after 15 s. */
  crashPacers(): Promise<void>
  /** The maximum delays of the pacer's calls and watch events. */
  delayPacer(delays: { readonly calls?: Duration; readonly watches?: Duration }): void
  /** The pacer's next writes fail. */
  failPacerWrites(count: number, options?: { readonly applied?: boolean }): void
  /** The controllers' next writes fail. `applied`: the server applies them, except creates, and the response is lost. */
  failNextWrites(count: number, options?: { readonly applied?: boolean }): void
  /** Sets the maximum delays of the controllers' calls and watch events. */
  delay(delays: { readonly calls?: Duration; readonly watches?: Duration }): void
  /** The node stops its heartbeats, and its pods stay as they are. */
  stopNode(name: string): void
  startNode(name: string): void
  /**
   * Injects a fault, as `rollcall chaos` does: `{ target: 'pod', name: 'web-1', action: 'hang', for: '5m' }`. Resolves
   * to the active fault; undefined where it is already over, such as a crash.
   */
  fault(order: FaultOrder): Promise<Fault | undefined>
  /** The active faults. */
  faults(): readonly Fault[]
  /** Ends the fault of that id, or all of them. */
  endFaults(id?: string): Promise<void>

  /** Every write except those of Leases, one line each: `+61.5s create pods default/web-1 r57`. */
  trace(): readonly string[]
  /**
   * How many pods a workload (`deployment/web`) had in which state, a line for each moment at which that changed:
   * `+61.5s desired 10, cap 13: 8 ready, 2 starting, 3 terminating`. It names no pod, and suits a snapshot.
   */
  timeline(workload: WorkloadName, namespace?: string): readonly string[]
  /**
   * By how many pods, terminating ones included, a workload exceeded its cap, at the worst moment of the run. Pods that existed
   * when the cap decreased do not count. Undefined: it never did.
   */
  peakOverCap(workload: WorkloadName, namespace?: string): PeakOverCap | undefined
  /** The violated invariants. */
  readonly breaches: readonly string[]
  stop(): Promise<void>
}
