// Kubernetes: pkg/registry/node/runtimeclass.strategy.*
// Kubernetes: pkg/printers/internalversion.printRuntimeClass
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { RuntimeClass } from '../../../types.ts'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts'

export const runtimeClasses: Kind<RuntimeClass> = {
  ...resource('node.RuntimeClass'),
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
