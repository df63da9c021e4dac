import type { Strategy } from '../../../machinery/kind.ts'
import type { Event } from '../../../types.ts'
import { validateEvent, validateEventUpdate } from './validation.ts'

export const eventStrategy: Strategy<Event> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  validate: validateEvent,
  validateUpdate: validateEventUpdate,
}
