import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts'

export const runtimeClasses: Kind<RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  type: 'node.RuntimeClass',
  types: {
    'node.RuntimeClass': {
      $typeMeta: 'object',
      handler: 'string always required #2',
      overhead: '*node.Overhead #3',
      scheduling: '*node.Scheduling #4',
    },
    'node.Overhead': {
      podFixed: 'map Quantity goType=v1.ResourceList #1',
    },
    'node.Scheduling': {
      nodeSelector: 'map string map=atomic #1',
      tolerations: '[]core.Toleration list=atomic #2',
    },
  },
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    metadata: { anyFinalizer: true, onUpdate: ['changes', 'as new'] },
    validate: validateRuntimeClass,
    validateUpdate: validateRuntimeClassUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Handler', 'The configuration of the container runtime that it names.', ({ handler }) => handler ?? ''),
    ageColumn,
  ]),
}
