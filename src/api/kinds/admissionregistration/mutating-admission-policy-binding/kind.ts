import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { mutatingAdmissionPolicyBindingColumns } from './columns.ts'
import { mutatingAdmissionPolicyBindingTypes } from './schema.ts'
import { mutatingAdmissionPolicyBindingStrategy } from './strategy.ts'

export const mutatingAdmissionPolicyBindings: Kind<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingAdmissionPolicyBinding',
  types: mutatingAdmissionPolicyBindingTypes,
  strategy: mutatingAdmissionPolicyBindingStrategy,
  columns: mutatingAdmissionPolicyBindingColumns,
}
