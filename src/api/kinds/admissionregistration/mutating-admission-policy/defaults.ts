import { fill } from '../../../machinery/fields.ts'
import type { MutatingAdmissionPolicy, Writable } from '../../../types.ts'
import { defaultMatchResources } from '../validating-admission-policy/match-resources.ts'

export function defaultMutatingAdmissionPolicy(policy: Writable<MutatingAdmissionPolicy>): void {
  if (policy.spec === undefined) return
  if (policy.spec.matchConstraints) policy.spec.matchConstraints = defaultMatchResources(policy.spec.matchConstraints)
  policy.spec = fill('admissionregistration.MutatingAdmissionPolicySpec', policy.spec, { failurePolicy: 'Fail' })
}
