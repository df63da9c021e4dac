import type { Types } from '../../../machinery/schema/schema.ts'

export const mutatingAdmissionPolicyBindingTypes: Types = {
  'admissionregistration.MutatingAdmissionPolicyBinding': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'admissionregistration.MutatingAdmissionPolicyBindingSpec #2',
  },
  'admissionregistration.MutatingAdmissionPolicyBindingSpec': {
    policyName: 'string #1',
    paramRef: '*admissionregistration.ParamRef #2',
    matchResources: '*admissionregistration.MatchResources #3',
  },
}
