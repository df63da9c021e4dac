import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultMatchResources } from '../validating-admission-policy/match-resources.ts'
import { policyBindingColumns } from './columns.ts'
import { validatingAdmissionPolicyBindingTypes } from './schema.ts'
import { validateValidatingAdmissionPolicyBinding } from './validation.ts'

export const validatingAdmissionPolicyBindings: Kind<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingAdmissionPolicyBinding',
  types: validatingAdmissionPolicyBindingTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    unconditionalUpdate: false,
    default({ spec }) {
      if (spec?.matchResources) spec.matchResources = defaultMatchResources(spec.matchResources)
    },
    validate: validateValidatingAdmissionPolicyBinding,
  },
  columns: policyBindingColumns,
}
