import { fill } from '../../../machinery/fields.ts'
import type { ValidatingAdmissionPolicy, Writable } from '../../../types.ts'
import { defaultMatchResources } from './match-resources.ts'

export function defaultValidatingAdmissionPolicy(policy: Writable<ValidatingAdmissionPolicy>): void {
  if (policy.spec === undefined) return
  if (policy.spec.matchConstraints) policy.spec.matchConstraints = defaultMatchResources(policy.spec.matchConstraints)
  policy.spec = fill('admissionregistration.ValidatingAdmissionPolicySpec', policy.spec, { failurePolicy: 'Fail' })
}
