// What the proposals let a Deployment ask for, read once for a look at it: from the field or from its annotation.
import type { FeatureGates } from '../../api/feature-gates.ts'
import type { Deployment, DeploymentPodReplacementPolicy, IntOrString } from '../../api/types.ts'
import { fieldOrAnnotation, operationalThresholdOf, podReplacementPolicyAnnotation, terminatingAsActiveOf } from '../annotations.ts'
import { defaultOperationalThreshold } from '../conditions/operational.ts'

export interface DeploymentSettings {
  /** KEP-5882. Undefined: as Kubernetes does without it. */
  readonly policy: DeploymentPodReplacementPolicy | undefined
  /** KEP-2804: how many replicas must be available. */
  readonly operationalThreshold: IntOrString
  /** A sentence for each annotation whose value cannot be used. */
  readonly problems: readonly string[]
}

export function settingsOf(deployment: Deployment, gates: FeatureGates): DeploymentSettings {
  const policy = gates.DeploymentPodReplacementPolicy ? podReplacementPolicyOf(deployment) : {}
  const threshold = gates.ExtendedWorkloadConditions ? operationalThresholdOf(deployment) : {}
  const terminatingAsActive = gates.TerminatingAsActive ? terminatingAsActiveOf(deployment) : {}
  return {
    policy: policy.value,
    operationalThreshold: threshold.value ?? defaultOperationalThreshold,
    problems:
      policy.problem === undefined && terminatingAsActive.problem === undefined && threshold.problem === undefined
        ? none
        : [policy.problem, terminatingAsActive.problem, threshold.problem].filter((problem) => problem !== undefined),
  }
}

const none: readonly string[] = []

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
