import type { MutatingAdmissionPolicyBinding, Writable } from '../../../types.ts'
import { defaultMatchResources } from '../validating-admission-policy/match-resources.ts'

export function defaultMutatingAdmissionPolicyBinding({ spec }: Writable<MutatingAdmissionPolicyBinding>): void {
  if (spec?.matchResources) spec.matchResources = defaultMatchResources(spec.matchResources)
}
