// Which requests policies and bindings apply to.
import { fill } from '../../../machinery/fields.ts'
import type { ValidatingAdmissionPolicy, Writable } from '../../../types.ts'
import { defaultRules } from '../validating-webhook-configuration/webhook-defaults.ts'

type MatchResources = NonNullable<NonNullable<Writable<ValidatingAdmissionPolicy>['spec']>['matchConstraints']>

export function defaultMatchResources(match: MatchResources): MatchResources {
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    const rules = match[field]
    if (rules) match[field] = defaultRules('admissionregistration.NamedRuleWithOperations', rules)
  }
  return fill('admissionregistration.MatchResources', match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
}
