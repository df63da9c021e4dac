import type { Columns, Kind } from '../../../machinery/kind.ts'
import { textOf, unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Event } from '../../../types.ts'
import { eventColumns } from '../../core/event/columns.ts'
import { coreEvents } from '../../core/event/kind.ts'
import { referred } from '../../core/event/selectable-fields.ts'
import { asCoreEvent, storedEventForm } from './stored-form.ts'
import { validateEvent, validateEventUpdate } from './validation.ts'

/** The columns of one form of an object, for its other form. */
const sameColumnsAs = <T, U>({ definitions, cells }: Columns<T>, other: (object: U) => T): Columns<U> => ({
  definitions,
  cells: (object, nowMs) => cells(other(object), nowMs),
})

export const events: Kind<Event> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  type: 'events.Event',
  types: {
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
  },
  storage: 'events',
  strategy: {
    createOnUpdate: true,
    validate: validateEvent,
    validateUpdate: validateEventUpdate,
  },
  selectableFields: {
    ...referred<Event>('regarding', (event) => event.regarding),
    reason: ({ reason }) => textOf(reason),
    reportingController: ({ reportingController }) => textOf(reportingController),
    type: ({ type }) => textOf(type),
  },
  columns: sameColumnsAs(eventColumns, asCoreEvent),
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
  storedForm: { kind: coreEvents as unknown as Kind, ...storedEventForm },
}
