// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { priorityLevelConfigurations, validatePriorityLevelConfiguration } from './kind.ts'

const level: Subject = {
  type: 'flowcontrol.PriorityLevelConfiguration',
  strategy: priorityLevelConfigurations.strategy,
  base: { metadata: { name: 'l' }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
}
creates(validatePriorityLevelConfiguration, level, [
  ['a good one', {}, []],
  [
    'a type for another name',
    { spec: { type: 'Exempt', limited: undefined } },
    ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
  ],
  [
    'wrong queues',
    {
      spec: {
        limited: { lendablePercent: 101, limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 6, queueLengthLimit: 0 } } },
      },
    },
    [
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 6: should not be greater than queues (4)',
    ],
  ],
])
