import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { priorityClasses, validatePriorityClass, validatePriorityClassUpdate } from './kind.ts'

const immutable = 'field is immutable'
const priority: Subject = {
  type: 'scheduling.PriorityClass',
  strategy: priorityClasses.strategy,
  base: { metadata: { name: 'a' }, value: 1 },
}
creates(validatePriorityClass, priority, [
  ['a plain one', {}, []],
  ['too much', { value: 1_000_000_001 }, ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000']],
  [
    'a name of the system',
    { metadata: { name: 'system-mine' } },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  ['a class of the system', { metadata: { name: 'system-node-critical' }, value: 2000001000 }, []],
  [
    'an unknown policy',
    { preemptionPolicy: 'Ask' },
    ['preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
  ],
])
updates(validatePriorityClassUpdate, priority, [
  ['another value', { value: 2 }, {}, ['value: Forbidden: may not be changed in an update.']],
  ['another policy', { preemptionPolicy: 'Never' }, {}, [`preemptionPolicy: Invalid value: "Never": ${immutable}`]],
])
