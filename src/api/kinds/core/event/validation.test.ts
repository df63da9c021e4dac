import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validateCoreEvent } from './validation.ts'

const metadata = { name: 'a', namespace: 'default' }
const coreEvent: Subject = { type: 'core.Event', strategy: {}, base: { metadata, involvedObject: { namespace: 'default' } } }
creates(validateCoreEvent, coreEvent, [
  ['a plain one', {}, []],
  [
    'another namespace',
    { involvedObject: { namespace: 'b' } },
    ['involvedObject.namespace: Invalid value: "b": does not match event.namespace'],
  ],
  ['no namespace', { involvedObject: { namespace: null } }, []],
  [
    'no namespace elsewhere',
    { metadata: { namespace: 'b' }, involvedObject: { namespace: null } },
    ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
  ],
  [
    'a new one with little in it',
    { eventTime: '2026-01-01T00:00:00.000000Z', reportingComponent: 'a' },
    ['reportingInstance: Required value', 'action: Required value', 'reason: Required value'],
  ],
])
