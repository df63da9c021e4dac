import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from '../validating-admission-policy/columns.ts'
import { defaultPolicy } from '../validating-admission-policy/match-resources.ts'
import { validateMutatingAdmissionPolicy } from './validation.ts'

export const mutatingAdmissionPolicies: Kind<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingAdmissionPolicy',
  types: {
    'admissionregistration.MutatingAdmissionPolicy': {
      $typeMeta: 'object',
      spec: 'admissionregistration.MutatingAdmissionPolicySpec #2',
    },
    'admissionregistration.MutatingAdmissionPolicySpec': {
      paramKind: '*admissionregistration.ParamKind #1',
      matchConstraints: '*admissionregistration.MatchResources #2',
      variables: '[]admissionregistration.Variable list=atomic #3',
      mutations: '[]admissionregistration.Mutation list=atomic #4',
      failurePolicy: '*string enum=Fail|Ignore goType=v1.FailurePolicyType #5',
      matchConditions: '[]admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #6',
      reinvocationPolicy: 'string enum=IfNeeded|Never goType=v1.ReinvocationPolicyType #7',
    },
    'admissionregistration.Mutation': {
      patchType: 'string always required enum=ApplyConfiguration|JSONPatch goType=v1.PatchType #2',
      applyConfiguration: '*admissionregistration.ApplyConfiguration #3',
      jsonPatch: '*admissionregistration.JSONPatch goName=JSONPatch #4',
    },
    'admissionregistration.ApplyConfiguration': {
      expression: 'string #1',
    },
    'admissionregistration.JSONPatch': {
      expression: 'string #1',
    },
  },
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (policy) => defaultPolicy('admissionregistration.MutatingAdmissionPolicySpec', policy),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateMutatingAdmissionPolicy,
  },
  columns: policyColumns('Mutations', 'How many mutations it has.', ({ spec }) => (spec?.mutations ?? []).length),
}
