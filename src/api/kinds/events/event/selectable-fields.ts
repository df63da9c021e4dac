import { type SelectableFields, textOf } from '../../../machinery/selectable-fields.ts'
import type { Event } from '../../../types.ts'
import { referred } from '../../core/event/selectable-fields.ts'

export const eventFields: SelectableFields<Event> = {
  ...referred<Event>('regarding', (event) => event.regarding),
  reason: ({ reason }) => textOf(reason),
  reportingController: ({ reportingController }) => textOf(reportingController),
  type: ({ type }) => textOf(type),
}
