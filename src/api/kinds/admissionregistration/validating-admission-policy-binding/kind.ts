import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { validatingAdmissionPolicyBindingColumns } from './columns.ts'
import { validatingAdmissionPolicyBindingTypes } from './schema.ts'
import { validatingAdmissionPolicyBindingStrategy } from './strategy.ts'

export const validatingAdmissionPolicyBindings: Kind<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  singular: 'validatingadmissionpolicybinding',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingAdmissionPolicyBinding',
  types: validatingAdmissionPolicyBindingTypes,
  strategy: validatingAdmissionPolicyBindingStrategy,
  columns: validatingAdmissionPolicyBindingColumns,
}
