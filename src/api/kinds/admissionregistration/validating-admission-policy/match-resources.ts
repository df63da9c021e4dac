// Which requests policies and bindings apply to.
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_MatchResources, SetDefaults_ValidatingAdmissionPolicySpec
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_MutatingAdmissionPolicySpec
import { fill } from '../../../machinery/fields.ts'
import type { ValidatingAdmissionPolicy, Writable } from '../../../types.ts'
import { defaultRules } from '../validating-webhook-configuration/webhook-defaults.ts'

type PolicySpec = NonNullable<Writable<ValidatingAdmissionPolicy>['spec']>
type MatchResources = NonNullable<PolicySpec['matchConstraints']>

/** `type` is the type of the spec. */
export function defaultPolicy<S extends Pick<PolicySpec, 'matchConstraints' | 'failurePolicy'>>(type: string, policy: { spec?: S }): void {
  if (policy.spec === undefined) return
  if (policy.spec.matchConstraints) policy.spec.matchConstraints = defaultMatchResources(policy.spec.matchConstraints)
  policy.spec = fill<Pick<PolicySpec, 'failurePolicy'>>(type, policy.spec, { failurePolicy: 'Fail' }) as S
}

export function defaultPolicyBinding({ spec }: { spec?: { matchResources?: MatchResources } }): void {
  if (spec?.matchResources) spec.matchResources = defaultMatchResources(spec.matchResources)
}

function defaultMatchResources(match: MatchResources): MatchResources {
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    const rules = match[field]
    if (rules) match[field] = defaultRules('admissionregistration.NamedRuleWithOperations', rules)
  }
  return fill('admissionregistration.MatchResources', match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
}
