import type { Types } from '../../../machinery/schema/schema.ts'

export const eventTypes: Types = {
  'events.Event': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta always #1',
    eventTime: 'MicroTime always required #2',
    series: '*events.EventSeries #3',
    reportingController: 'string #4',
    reportingInstance: 'string #5',
    action: 'string #6',
    reason: 'string #7',
    regarding: 'core.ObjectReference #8',
    related: '*core.ObjectReference #9',
    note: 'string #10',
    type: 'string #11',
    deprecatedSource: 'core.EventSource #12',
    deprecatedFirstTimestamp: 'Time #13',
    deprecatedLastTimestamp: 'Time #14',
    deprecatedCount: 'int32 #15',
  },
  'events.EventSeries': {
    count: 'int32 always required #1',
    lastObservedTime: 'MicroTime always required #2',
  },
}
