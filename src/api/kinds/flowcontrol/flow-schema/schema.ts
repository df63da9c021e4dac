import type { Types } from '../../../machinery/schema/schema.ts'

export const flowSchemaTypes: Types = {
  'flowcontrol.FlowSchema': {
    $typeMeta: 'object',
    spec: 'flowcontrol.FlowSchemaSpec #2',
    status: 'flowcontrol.FlowSchemaStatus #3',
  },
  'flowcontrol.FlowSchemaSpec': {
    priorityLevelConfiguration: 'flowcontrol.PriorityLevelConfigurationReference always required #1',
    matchingPrecedence: 'int32 always #2',
    distinguisherMethod: '*flowcontrol.FlowDistinguisherMethod #3',
    rules: '[]flowcontrol.PolicyRulesWithSubjects list=atomic #4',
  },
  'flowcontrol.FlowSchemaStatus': {
    conditions: '[]flowcontrol.FlowSchemaCondition patch=merge mergeKey=type list=map keys=type #1',
  },
  'flowcontrol.PriorityLevelConfigurationReference': {
    name: 'string always required #1',
  },
  'flowcontrol.FlowDistinguisherMethod': {
    type: 'string always required goType=v1.FlowDistinguisherMethodType #1',
  },
  'flowcontrol.PolicyRulesWithSubjects': {
    subjects: '[]flowcontrol.Subject always list=atomic required #1',
    resourceRules: '[]flowcontrol.ResourcePolicyRule list=atomic #2',
    nonResourceRules: '[]flowcontrol.NonResourcePolicyRule list=atomic #3',
  },
  'flowcontrol.FlowSchemaCondition': {
    type: 'string goType=v1.FlowSchemaConditionType #1',
    status: 'string goType=v1.ConditionStatus #2',
    lastTransitionTime: 'Time #3',
    reason: 'string #4',
    message: 'string #5',
  },
  'flowcontrol.Subject': {
    kind: 'string always required goType=v1.SubjectKind #1',
    user: '*flowcontrol.UserSubject #2',
    group: '*flowcontrol.GroupSubject #3',
    serviceAccount: '*flowcontrol.ServiceAccountSubject #4',
  },
  'flowcontrol.ResourcePolicyRule': {
    verbs: '[]string always list=set required #1',
    apiGroups: '[]string always list=set required goName=APIGroups #2',
    resources: '[]string always list=set required #3',
    clusterScope: 'bool #4',
    namespaces: '[]string always list=set #5',
  },
  'flowcontrol.NonResourcePolicyRule': {
    verbs: '[]string always list=set required #1',
    nonResourceURLs: '[]string always list=set required #6',
  },
  'flowcontrol.UserSubject': {
    name: 'string always required #1',
  },
  'flowcontrol.GroupSubject': {
    name: 'string always required #1',
  },
  'flowcontrol.ServiceAccountSubject': {
    namespace: 'string always required #1',
    name: 'string always required #2',
  },
}
