import type { Types } from '../../../machinery/schema/schema.ts'

export const validatingAdmissionPolicyTypes: Types = {
  'admissionregistration.ValidatingAdmissionPolicy': {
    $typeMeta: 'object',
    spec: 'admissionregistration.ValidatingAdmissionPolicySpec #2',
    status: 'admissionregistration.ValidatingAdmissionPolicyStatus #3',
  },
  'admissionregistration.ValidatingAdmissionPolicySpec': {
    paramKind: '*admissionregistration.ParamKind #1',
    matchConstraints: '*admissionregistration.MatchResources #2',
    validations: '[]admissionregistration.Validation list=atomic #3',
    failurePolicy: '*string enum=Fail|Ignore goType=v1.FailurePolicyType #4',
    auditAnnotations: '[]admissionregistration.AuditAnnotation list=atomic #5',
    matchConditions: '[]admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #6',
    variables: '[]admissionregistration.Variable patch=merge mergeKey=name list=map keys=name #7',
  },
  'admissionregistration.ValidatingAdmissionPolicyStatus': {
    observedGeneration: 'int64 #1',
    typeChecking: '*admissionregistration.TypeChecking #2',
    conditions: '[]meta.Condition list=map keys=type #3',
  },
  'admissionregistration.ParamKind': {
    $struct: 'atomic',
    apiVersion: 'string goName=APIVersion #1',
    kind: 'string #2',
  },
  'admissionregistration.MatchResources': {
    $struct: 'atomic',
    namespaceSelector: '*meta.LabelSelector #1',
    objectSelector: '*meta.LabelSelector #2',
    resourceRules: '[]admissionregistration.NamedRuleWithOperations list=atomic #3',
    excludeResourceRules: '[]admissionregistration.NamedRuleWithOperations list=atomic #4',
    matchPolicy: '*string enum=Equivalent|Exact goType=v1.MatchPolicyType #7',
  },
  'admissionregistration.Validation': {
    expression: 'string always required #1',
    message: 'string #2',
    reason: '*string goType=v1.StatusReason #3',
    messageExpression: 'string #4',
  },
  'admissionregistration.AuditAnnotation': {
    key: 'string always required #1',
    valueExpression: 'string always required #2',
  },
  'admissionregistration.Variable': {
    $struct: 'atomic',
    name: 'string always required #1',
    expression: 'string always required #2',
  },
  'admissionregistration.TypeChecking': {
    expressionWarnings: '[]admissionregistration.ExpressionWarning list=atomic #1',
  },
  'admissionregistration.NamedRuleWithOperations': {
    $struct: 'atomic',
    resourceNames: '[]string list=atomic #1',
    operations: '[]string list=atomic goType=[]v1.OperationType in=RuleWithOperations #2.1',
    apiGroups: '[]string list=atomic goName=APIGroups in=Rule #2.2.1',
    apiVersions: '[]string list=atomic goName=APIVersions in=Rule #2.2.2',
    resources: '[]string list=atomic in=Rule #2.2.3',
    scope: '*string enum=*|Cluster|Namespaced goType=v1.ScopeType in=Rule #2.2.4',
  },
  'admissionregistration.ExpressionWarning': {
    fieldRef: 'string always required #2',
    warning: 'string always required #3',
  },
}
