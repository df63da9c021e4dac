import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'
import { validatingAdmissionPolicyColumns } from './columns.ts'
import { validatingAdmissionPolicyTypes } from './schema.ts'
import { validatingAdmissionPolicyStrategy } from './strategy.ts'

export const validatingAdmissionPolicies: Kind<ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  singular: 'validatingadmissionpolicy',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingAdmissionPolicy',
  types: validatingAdmissionPolicyTypes,
  strategy: validatingAdmissionPolicyStrategy,
  subresources: { status: true },
  columns: validatingAdmissionPolicyColumns,
}
