// The kinds that behave unlike others: one line for each folder.
// Ours: Kubernetes builds a storage with strategies for each kind.
import type { Kind } from '../../api/machinery/kind.ts'
import { admissionConfigurationBehavior } from './admission-configuration/behavior.ts'
import { bindingBehavior } from './binding/behavior.ts'
import { certificateSigningRequestBehavior } from './certificate-signing-request/behavior.ts'
import { clusterTrustBundleBehavior } from './cluster-trust-bundle/behavior.ts'
import { customResourceDefinitionBehavior } from './custom-resource-definition/behavior.ts'
import { deviceBehavior } from './device/behavior.ts'
import { jobBehavior } from './job/behavior.ts'
import type { BehaviorDefinition, BehaviorParts, KindBehavior } from './kind-behavior.ts'
import { namespaceBehavior } from './namespace/behavior.ts'
import { podBehavior } from './pod/behavior.ts'
import { podCertificateRequestBehavior } from './pod-certificate-request/behavior.ts'
import { reviewBehaviors } from './review/behavior.ts'
import { roleBehavior, roleBindingBehavior } from './role/behavior.ts'
import { serviceBehavior } from './service/behavior.ts'
import { serviceAccountBehavior } from './service-account/behavior.ts'
import { usageMetricsBehaviors } from './usage-metrics/behavior.ts'

const definitions: readonly BehaviorDefinition[] = [
  admissionConfigurationBehavior,
  bindingBehavior,
  certificateSigningRequestBehavior,
  clusterTrustBundleBehavior,
  customResourceDefinitionBehavior,
  deviceBehavior,
  jobBehavior,
  namespaceBehavior,
  podBehavior,
  podCertificateRequestBehavior,
  ...reviewBehaviors,
  roleBehavior,
  roleBindingBehavior,
  serviceBehavior,
  serviceAccountBehavior,
  ...usageMetricsBehaviors,
]

const plain: KindBehavior = {}

/** Finds the behavior of a kind. A kind is known by its type: custom resources and kinds of tests have none. */
export function createBehaviors(parts: BehaviorParts): (kind: Kind) => KindBehavior {
  const byType = new Map(definitions.flatMap(({ kinds, define }) => kinds.map(({ type }) => [type, define(parts)] as const)))
  return ({ type }) => byType.get(type) ?? plain
}
