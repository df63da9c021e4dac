// The types of events/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const events = {
  Event: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta always',
    eventTime: 'MicroTime always required',
    series: '*events.EventSeries',
    reportingController: 'string',
    reportingInstance: 'string',
    action: 'string',
    reason: 'string',
    regarding: 'core.ObjectReference',
    related: '*core.ObjectReference',
    note: 'string',
    type: 'string',
    deprecatedSource: 'core.EventSource',
    deprecatedFirstTimestamp: 'Time',
    deprecatedLastTimestamp: 'Time',
    deprecatedCount: 'int32',
  },
  EventSeries: {
    count: 'int32 always required',
    lastObservedTime: 'MicroTime always required',
  },
} as const
