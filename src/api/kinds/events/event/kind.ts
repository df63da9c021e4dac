// Kubernetes: pkg/registry/core/event.eventStrategy.*
// Kubernetes: pkg/printers/internalversion.printEvent
// Kubernetes: pkg/registry/core/event.ToSelectableFields
// Kubernetes: pkg/apis/events/v1.AddFieldLabelConversionsForEvent
import type { Columns, Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
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
  ...resource('events.Event'),
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
  storedForm: { kind: coreEvents, ...storedEventForm },
}
