import type { Types } from '../../../machinery/schema/schema.ts'

export const mutatingAdmissionPolicyTypes: Types = {
  'admissionregistration.MutatingAdmissionPolicy': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
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
}
