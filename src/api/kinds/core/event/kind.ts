import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'
import { eventColumns } from './columns.ts'
import { coreEventTypes } from './schema.ts'
import { coreEventFields } from './selectable-fields.ts'
import { coreEventStrategy } from './strategy.ts'

export const coreEvents: Kind<CoreEvent> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  type: 'core.Event',
  types: coreEventTypes,
  storage: 'events',
  strategy: coreEventStrategy,
  selectableFields: coreEventFields,
  columns: eventColumns,
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
}
