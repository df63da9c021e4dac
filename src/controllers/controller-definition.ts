// What a controller is: its folder exports a definition, and definitions.ts lists all. The composition of `rollcall up`, `rollcall
// controllers` with its preflight, and the files of deploy/ are derived from it.
// Ours: one definition from which every list of controllers is derived.
import type { UsageSource } from '../api/kinds/metrics/simulated-usage.ts'
import type { Kind } from '../api/machinery/kind.ts'
import type { KindSource } from '../api/machinery/kind-set.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { RunningController, WorkloadControllerParts } from '../runtime/controller-parts.ts'
import type { SignCertificate } from './certificate-signing/certificate-signing-controller.ts'
import type { EvictionSettings } from './deployment/deployment-controller.ts'
import type { PlanReasons } from './deployment/plan/reasons.ts'
import type { JobMetrics } from './job/metrics.ts'
import type { GracePeriods } from './node-lifecycle/plan/health.ts'

/** What a controller is started with, wherever it runs. */
export interface ControllerParts extends WorkloadControllerParts {
  readonly random: Random
  /** Counted by the Job controller. */
  readonly metrics?: JobMetrics
  /** Whether ReplicaSets have no `terminatingReplicas`, so that terminating pods are counted. */
  countTerminatingPods?(): boolean
  /** Pods of Deployments are replaced before they are evicted. Default: never. */
  readonly evictions?: EvictionSettings | undefined
  /** Called with the reasons of each plan for a Deployment. */
  onPlan?(key: string, reasons: PlanReasons): void
  onFailure(what: string, error: unknown): void
}

/** What is known of a cluster of `rollcall up`. */
export interface ClusterSettings {
  /** The kinds that the server has, custom resources included. */
  readonly kinds: KindSource
  /** PEM, for the ConfigMap of each namespace. */
  readonly rootCertificate: string
  /** How long a node may miss its heartbeats. */
  readonly gracePeriods?: GracePeriods
  /** The metrics that autoscalers read, where they do not come from annotations. */
  readonly usage?: UsageSource
  /** Signs CertificateSigningRequests. Default: they are not signed. */
  readonly signCertificate?: SignCertificate
  /** Whether Secrets that pods wait for are created as placeholders. */
  readonly assumesSecrets?: boolean
  /** Whether the rules of aggregated ClusterRoles are kept up to date, and admission policies are type-checked. */
  readonly servesPolicies?: boolean
}

/** A controller of `rollcall up`. */
export interface ControllerDefinition {
  /** That of its client, and what users name in faults. */
  readonly name: string
  /** The reporting component of its Events. Default: the name. */
  readonly eventComponent?: string
  /** Default: it runs in every cluster. */
  isWanted?(settings: ClusterSettings): boolean
  start(parts: ControllerParts & ClusterSettings): RunningController
}

/** A controller that `rollcall controllers` runs too, in place of one of kube-controller-manager. */
export interface RemoteControllerDefinition extends ControllerDefinition {
  start(parts: ControllerParts): RunningController
  readonly remote: {
    /** In `rollcall controllers --controllers`, and in the chart's values. */
    readonly flag: string
    /** In `kube-controller-manager --controllers`. */
    readonly builtIn: string
    /** What it reconciles, and then what else it reads. */
    readonly kinds: readonly Kind[]
    /** What it may do besides recording Events: `verbs group resources`. */
    readonly permissions: readonly string[]
    readonly probe: Probe
  }
}

/** An object by which the preflight finds out whether a controller is active. It asks for no pods. */
export interface Probe {
  readonly kind: Kind
  object(nowMs: number): KubernetesObject
  /** Makes the probe one that its controller has to act on, where creating it is not enough. It updates the status. */
  provoke?(client: Client, created: Stored<KubernetesObject>, nowMs: number): Promise<void>
  /** Whether a controller has acted. Undefined: the probe was deleted. */
  isAnswered(current: Stored<KubernetesObject> | undefined): boolean
}
