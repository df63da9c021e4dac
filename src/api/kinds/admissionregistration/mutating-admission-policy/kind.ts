import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { mutatingAdmissionPolicyColumns } from './columns.ts'
import { mutatingAdmissionPolicyTypes } from './schema.ts'
import { mutatingAdmissionPolicyStrategy } from './strategy.ts'

export const mutatingAdmissionPolicies: Kind<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingAdmissionPolicy',
  types: mutatingAdmissionPolicyTypes,
  strategy: mutatingAdmissionPolicyStrategy,
  columns: mutatingAdmissionPolicyColumns,
}
