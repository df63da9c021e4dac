import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { validateEvent, validateEventUpdate } from './kind.ts'

const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const event: Subject = {
  type: 'events.Event',
  strategy: {},
  base: {
    metadata,
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'a.io/b',
    reportingInstance: 'c',
    action: 'd',
    reason: 'e',
    type: 'Normal',
    regarding: { namespace: 'default' },
  },
}
creates(validateEvent, event, [
  ['a plain one', {}, []],
  ['an unknown type', { type: 'Odd' }, ['type: Invalid value: "": has invalid value: Odd']],
  [
    'what the old form has',
    { deprecatedCount: 1, deprecatedSource: { host: 'x' } },
    ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
  ],
  ['a long reason', { reason: 'x'.repeat(129) }, ['reason: Invalid value: "": can have at most 128 characters']],
  [
    'a series of one',
    { series: { count: 1, lastObservedTime: '2026-01-01T00:00:00.000000Z' } },
    ['series.count: Invalid value: "": should be at least 2'],
  ],
])
updates(validateEventUpdate, event, [
  ['a series that goes on', { series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }, {}, []],
  ['another reason', { reason: 'f' }, {}, [`reason: Invalid value: "f": ${immutable}`, `reason: Invalid value: "f": ${immutable}`]],
])
