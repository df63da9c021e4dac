import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { policyBindingColumns } from './columns.ts'
import { validateValidatingAdmissionPolicyBinding } from './validation.ts'

export const validatingAdmissionPolicyBindings: Kind<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingAdmissionPolicyBinding',
  types: {
    'admissionregistration.ValidatingAdmissionPolicyBinding': {
      $typeMeta: 'object',
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
  },
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: defaultPolicyBinding,
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateValidatingAdmissionPolicyBinding,
  },
  columns: policyBindingColumns,
}
