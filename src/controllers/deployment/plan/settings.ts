// The settings of a Deployment that the proposals add, from fields or annotations.
// Ours: the settings that the proposals add.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Deployment, DeploymentPodReplacementPolicy, IntOrString } from '../../../api/types.ts'
import {
  fieldOrAnnotation,
  operationalThresholdOf,
  podReplacementPolicyAnnotation,
  stuckTerminationTimeoutOf,
  terminatingAsActiveOf,
} from '../../shared/plan/annotations.ts'
import { defaultOperationalThreshold } from '../../shared/plan/operational.ts'

export interface DeploymentSettings {
  /**
   * KEP-5882. Undefined: the behaviour of Kubernetes without it. terminatingAsActive implies TerminationComplete: it covers rollouts
   * as well as deletions by others.
   */
  readonly policy: DeploymentPodReplacementPolicy | undefined
  /** KEP-2804: how many replicas must be available. */
  readonly operationalThreshold: IntOrString
  /** How long after its grace period a terminating pod still holds room, in milliseconds. Undefined: until it has terminated. */
  readonly stuckTerminationTimeoutMs: number | undefined
  /** A message for each invalid annotation. */
  readonly problems: readonly string[]
}

export function settingsOf(deployment: Deployment, gates: FeatureGates): DeploymentSettings {
  const policy = gates.DeploymentPodReplacementPolicy ? podReplacementPolicyOf(deployment) : {}
  const threshold = gates.ExtendedWorkloadConditions ? operationalThresholdOf(deployment) : {}
  const terminatingAsActive = gates.TerminatingAsActive ? terminatingAsActiveOf(deployment) : {}
  const stuckTimeout = stuckTerminationTimeoutOf(deployment)
  const isAsActive = gates.DeploymentPodReplacementPolicy && terminatingAsActive.value === true
  const contradiction = isAsActive && policy.value === 'TerminationStarted' ? contradictionProblem : undefined
  const problems = [policy.problem, terminatingAsActive.problem, threshold.problem, stuckTimeout.problem, contradiction]
  return {
    policy: isAsActive ? 'TerminationComplete' : policy.value,
    operationalThreshold: threshold.value ?? defaultOperationalThreshold,
    stuckTerminationTimeoutMs: stuckTimeout.value,
    problems: problems.every((problem) => problem === undefined) ? none : problems.filter((problem) => problem !== undefined),
  }
}

const none: readonly string[] = []

/** Validation rejects the two fields, but not a field with an annotation, or two annotations. */
const contradictionProblem =
  'podReplacementPolicy TerminationStarted contradicts terminatingAsActive true: TerminationComplete is used. Remove one of the two.'

function podReplacementPolicyOf(deployment: Deployment) {
  return fieldOrAnnotation(
    deployment.spec?.podReplacementPolicy,
    deployment,
    podReplacementPolicyAnnotation,
    'TerminationStarted or TerminationComplete',
    (text): DeploymentPodReplacementPolicy | undefined =>
      text === 'TerminationStarted' || text === 'TerminationComplete' ? text : undefined,
  )
}
