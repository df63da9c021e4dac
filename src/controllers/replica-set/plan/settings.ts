// The settings of a ReplicaSet or ReplicationController for one sync. The two kinds differ only here.
// Kubernetes: pkg/controller/replication.convertRCtoRS
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { IntOrString, ReplicaSet, ReplicationController, Stored } from '../../../api/types.ts'
import type { LabelRequirements, Labels } from '../../../base/label-selector.ts'
import { operationalThresholdOf, stuckTerminationTimeoutOf, terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { defaultOperationalThreshold } from '../../shared/plan/operational.ts'
import { validRequirementsOf } from '../../shared/plan/selectors.ts'

export type ReplicaSetKind = 'ReplicaSet' | 'ReplicationController'
export type AnyReplicaSet = Stored<ReplicaSet> | Stored<ReplicationController>

export interface ReplicaSettings {
  readonly kind: ReplicaSetKind
  readonly namespace: string
  readonly wanted: number
  readonly minReadySeconds: number
  /** Undefined if the selector is absent or invalid: then the set is not reconciled. */
  readonly requirements: LabelRequirements | undefined
  readonly templateLabels: Labels
  readonly isBeingDeleted: boolean
  /** KEP-3973: whether the status has terminatingReplicas. A ReplicationController never has it. */
  readonly countsTerminating: boolean
  /** Draft of KEP-3939: a pod is replaced only when it has terminated. */
  readonly terminatingAsActive: boolean
  /** How long after its grace period a terminating pod still counts as active, in milliseconds. Undefined: until it has terminated. */
  readonly stuckTerminationTimeoutMs: number | undefined
  /** KEP-2804; undefined while the gate is off. */
  readonly operationalThreshold: IntOrString | undefined
  /** A message for each invalid annotation. */
  readonly problems: readonly string[]
}

const none: Labels = {}
const noProblems: readonly string[] = []

export function settingsOf(kind: ReplicaSetKind, set: AnyReplicaSet, gates: FeatureGates): ReplicaSettings {
  const { spec, metadata } = set
  const isReplicaSet = kind === 'ReplicaSet'
  const terminatingAsActive = isReplicaSet && gates.TerminatingAsActive ? terminatingAsActiveOf(set as ReplicaSet) : {}
  const stuckTimeout = terminatingAsActive.value === true ? stuckTerminationTimeoutOf(set) : {}
  const threshold = gates.ExtendedWorkloadConditions ? operationalThresholdOf(set) : {}
  const problems = [terminatingAsActive.problem, threshold.problem, stuckTimeout.problem]
  return {
    kind,
    namespace: metadata.namespace ?? '',
    wanted: spec?.replicas ?? 1,
    minReadySeconds: spec?.minReadySeconds ?? 0,
    requirements: isReplicaSet
      ? validRequirementsOf((set as ReplicaSet).spec?.selector)
      : requirementsOfLabels((set as ReplicationController).spec?.selector),
    templateLabels: spec?.template?.metadata?.labels ?? none,
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    countsTerminating: isReplicaSet && gates.DeploymentReplicaSetTerminatingReplicas,
    terminatingAsActive: terminatingAsActive.value ?? false,
    stuckTerminationTimeoutMs: stuckTimeout.value,
    operationalThreshold: gates.ExtendedWorkloadConditions ? (threshold.value ?? defaultOperationalThreshold) : undefined,
    problems: problems.every((problem) => problem === undefined) ? noProblems : problems.filter((problem) => problem !== undefined),
  }
}

/** Without labels a ReplicationController selects nothing; an empty selector of a ReplicaSet selects everything. */
function requirementsOfLabels(matchLabels: Labels | undefined): LabelRequirements | undefined {
  return matchLabels === undefined || Object.keys(matchLabels).length === 0 ? undefined : validRequirementsOf({ matchLabels })
}
