// Kubernetes: pkg/registry/core/event.eventStrategy.*
// Kubernetes: pkg/printers/internalversion.printEvent
// Kubernetes: pkg/registry/core/event.ToSelectableFields
// Kubernetes: pkg/apis/events/v1.AddFieldLabelConversionsForEvent
import { type FieldError, invalid, required, typed } from '../../../machinery/field-error.ts'
import type { Columns, Kind } from '../../../machinery/kind.ts'
import { isEqualAs, isEqualOptional } from '../../../machinery/schema/equality.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { textOf, unsupportedField } from '../../../machinery/selectable-fields.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { Event } from '../../../types.ts'
import { coreEvents, eventColumns, referred } from '../../core/event/kind.ts'
import { validateEventFields } from '../../core/event/validation.ts'
import { asCoreEvent, storedEventForm } from './stored-form.ts'

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

// Kubernetes: pkg/apis/core/validation.ValidateEventCreate, ValidateEventUpdate, validateV1EventSeries
const validateFields = (event: Event) => validateEventFields(asCoreEvent(event), 'reportingController')

export function validateEvent(event: Event): FieldError[] {
  const errors = validateFields(event)
  addSeriesErrors(errors, event)
  if (!event.eventTime) errors.push(required('eventTime', ''))
  if (event.type !== 'Normal' && event.type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${event.type ?? ''}`))
  const unset = (field: string, isSet: boolean) => {
    if (isSet) errors.push(invalid(field, '', 'needs to be unset'))
  }
  unset('firstTimestamp', Boolean(event.deprecatedFirstTimestamp))
  unset('lastTimestamp', Boolean(event.deprecatedLastTimestamp))
  unset('count', Boolean(event.deprecatedCount))
  unset('source', Boolean(event.deprecatedSource?.component) || Boolean(event.deprecatedSource?.host))
  return errors
}

function addSeriesErrors(errors: FieldError[], { series }: Event): void {
  if (series === undefined) return
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'))
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime', ''))
}

const time = { kind: 'scalar', scalar: 'Time', pointer: false } as const

/** Only the series of an event may change. */
export function validateEventUpdate(next: Event, current: Event): FieldError[] {
  const errors = validateFields(next)
  if (!isEqualOptional('events.EventSeries', next.series, current.series)) addSeriesErrors(errors, next)
  const structs = { regarding: 'core.ObjectReference', deprecatedSource: 'core.EventSource', related: 'core.ObjectReference' } as const
  const keep = (name: string, field: keyof Event) => {
    const value = next[field]
    const old = current[field]
    if (field === 'regarding' || field === 'deprecatedSource' || field === 'related') {
      const isSame = isEqualOptional(
        structs[field],
        value ?? (field === 'related' ? undefined : {}),
        old ?? (field === 'related' ? undefined : {}),
      )
      if (!isSame) errors.push(invalid(name, shownStruct(structs[field], value), immutableMessage))
    } else if (field === 'deprecatedFirstTimestamp' || field === 'deprecatedLastTimestamp' || field === 'eventTime') {
      if (!isEqualAs(time, value, old)) errors.push(invalid(name, value, immutableMessage))
    } else if ((value || undefined) !== (old || undefined))
      errors.push(invalid(name, field === 'deprecatedCount' ? (value ?? 0) : typed(String(value ?? '')), immutableMessage))
  }
  keep('involvedObject', 'regarding')
  keep('reason', 'reason')
  keep('message', 'note')
  keep('source', 'deprecatedSource')
  keep('firstTimestamp', 'deprecatedFirstTimestamp')
  keep('lastTimestamp', 'deprecatedLastTimestamp')
  keep('count', 'deprecatedCount')
  keep('reason', 'reason')
  keep('type', 'type')
  keep('eventTime', 'eventTime')
  keep('action', 'action')
  keep('related', 'related')
  keep('reportingController', 'reportingController')
  keep('reportingInstance', 'reportingInstance')
  return errors
}
