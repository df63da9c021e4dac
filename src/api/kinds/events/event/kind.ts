import type { Columns, Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Event } from '../../../types.ts'
import { eventColumns } from '../../core/event/columns.ts'
import { coreEvents } from '../../core/event/kind.ts'
import { eventTypes } from './schema.ts'
import { eventFields } from './selectable-fields.ts'
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
  types: eventTypes,
  storage: 'events',
  strategy: {
    names: 'dns-subdomain',
    createOnUpdate: true,
    validate: validateEvent,
    validateUpdate: validateEventUpdate,
  },
  selectableFields: eventFields,
  columns: sameColumnsAs(eventColumns, asCoreEvent),
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
  storedForm: { kind: coreEvents as unknown as Kind, ...storedEventForm },
}
