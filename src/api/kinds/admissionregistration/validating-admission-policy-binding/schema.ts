import type { Types } from '../../../machinery/schema/schema.ts'

export const validatingAdmissionPolicyBindingTypes: Types = {
  'admissionregistration.ValidatingAdmissionPolicyBinding': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'admissionregistration.ValidatingAdmissionPolicyBindingSpec required #2',
  },
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec': {
    policyName: 'string required #1',
    paramRef: '*admissionregistration.ParamRef #2',
    matchResources: '*admissionregistration.MatchResources #3',
    validationActions: '[]string list=set required goType=[]v1.ValidationAction #4',
  },
  'admissionregistration.ParamRef': {
    $struct: 'atomic',
    name: 'string #1',
    namespace: 'string #2',
    selector: '*meta.LabelSelector #3',
    parameterNotFoundAction: '*string goType=v1.ParameterNotFoundActionType #4',
  },
}
