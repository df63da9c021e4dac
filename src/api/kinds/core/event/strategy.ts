import type { Strategy } from '../../../machinery/kind.ts'
import type { CoreEvent } from '../../../types.ts'
import { validateCoreEvent, validateCoreEventUpdate } from './validation.ts'

export const coreEventStrategy: Strategy<CoreEvent> = {
  names: 'path-segment',
  createOnUpdate: true,
  validate: validateCoreEvent,
  validateUpdate: validateCoreEventUpdate,
}
