// Kubernetes: pkg/registry/core/event.eventStrategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'
import { eventColumns } from './columns.ts'
import { coreEventFields } from './selectable-fields.ts'
import { validateCoreEvent } from './validation.ts'

export const coreEvents: Kind<CoreEvent> = {
  ...resource('core.Event'),
  storage: 'events',
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    metadata: { anyFinalizer: true, onUpdate: [] },
    validate: validateCoreEvent,
  },
  selectableFields: coreEventFields,
  columns: eventColumns,
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
}
