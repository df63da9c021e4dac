import type { ValidatingAdmissionPolicyBinding, Writable } from '../../../types.ts'
import { defaultMatchResources } from '../validating-admission-policy/match-resources.ts'

export function defaultValidatingAdmissionPolicyBinding({ spec }: Writable<ValidatingAdmissionPolicyBinding>): void {
  if (spec?.matchResources) spec.matchResources = defaultMatchResources(spec.matchResources)
}
