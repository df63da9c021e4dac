import { type SelectableFields, text } from '../../../machinery/selectable-fields.ts'
import type { Event } from '../../../types.ts'
import { referred } from '../../core/event/selectable-fields.ts'

export const eventFields: SelectableFields<Event> = {
  ...referred<Event>('regarding', (event) => event.regarding),
  reason: ({ reason }) => text(reason),
  reportingController: ({ reportingController }) => text(reportingController),
  type: ({ type }) => text(type),
}
