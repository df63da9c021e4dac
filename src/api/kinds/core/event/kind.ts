import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'
import { eventColumns } from './columns.ts'
import { coreEventFields } from './selectable-fields.ts'
import { validateCoreEvent } from './validation.ts'

export const coreEvents: Kind<CoreEvent> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  type: 'core.Event',
  types: {
    'core.Event': {
      $typeMeta: 'inline',
      metadata: 'meta.ObjectMeta always required #1',
      involvedObject: 'core.ObjectReference always required #2',
      reason: 'string #3',
      message: 'string #4',
      source: 'core.EventSource #5',
      firstTimestamp: 'Time #6',
      lastTimestamp: 'Time #7',
      count: 'int32 #8',
      type: 'string #9',
      eventTime: 'MicroTime #10',
      series: '*core.EventSeries #11',
      action: 'string #12',
      related: '*core.ObjectReference #13',
      reportingComponent: 'string always #14',
      reportingInstance: 'string always #15',
    },
    'core.EventSource': {
      component: 'string #1',
      host: 'string #2',
    },
    'core.EventSeries': {
      count: 'int32 #1',
      lastObservedTime: 'MicroTime #2',
    },
  },
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
