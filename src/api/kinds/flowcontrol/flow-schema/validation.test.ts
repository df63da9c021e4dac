// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { flowSchemas } from './kind.ts'
import { validateFlowSchema } from './validation.ts'

const rule = {
  subjects: [{ kind: 'User', user: { name: 'u' } }],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
}
const schema: Subject = {
  type: 'flowcontrol.FlowSchema',
  strategy: flowSchemas.strategy,
  base: { metadata: { name: 's' }, spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 100, rules: [rule] } },
}
creates(validateFlowSchema, schema, [
  ['a good one', {}, []],
  [
    'wrong numbers and names',
    { spec: { matchingPrecedence: 10001, priorityLevelConfiguration: { name: '' }, distinguisherMethod: { type: 'ByTeam' } } },
    [
      'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByTeam"}: supported values: "ByNamespace", "ByUser"',
      'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
    ],
  ],
  [
    'an empty rule',
    { spec: { rules: [{}] } },
    [
      'spec.rules[0].subjects: Required value: subjects must contain at least one value',
      'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
    ],
  ],
  [
    'a subject of another kind',
    { spec: { rules: [{ ...rule, subjects: [{ kind: 'Group', user: { name: 'u' } }] }] } },
    [
      "spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'",
      "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
    ],
  ],
])
