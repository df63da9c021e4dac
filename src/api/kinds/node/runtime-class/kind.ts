// Kubernetes: pkg/registry/node/runtimeclass.strategy.*
// Kubernetes: pkg/printers/internalversion.printRuntimeClass
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { changed, duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateLabels } from '../../../machinery/validation/metadata.ts'
import { isDns1123Label } from '../../../machinery/validation/names.ts'
import { validateContainerResourceName, validateResourceQuantity } from '../../../machinery/validation/resources.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { RuntimeClass } from '../../../types.ts'
import { checkTolerations } from '../../core/pod/validation/tolerations.ts'

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

// Kubernetes: pkg/apis/node/validation.ValidateRuntimeClass, ValidateRuntimeClassUpdate
export function validateRuntimeClass(runtimeClass: RuntimeClass): FieldError[] {
  const { handler, overhead, scheduling } = runtimeClass
  const errors: FieldError[] = handler
    ? isDns1123Label(handler).map((message) => invalid('handler', handler, message))
    : [required('handler', '')]
  for (const [name, quantity] of Object.entries(overhead?.podFixed ?? {})) {
    const path = `overhead.limits[${name}]`
    errors.push(...validateContainerResourceName(name, path), ...validateResourceQuantity(name, quantity, path))
  }
  if (scheduling?.nodeSelector) errors.push(...validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector'))
  const tolerations = scheduling?.tolerations ?? []
  checkTolerations(errors, tolerations, () => 'scheduling.tolerations', false)
  const seen = new Set<string>()
  for (const [index, toleration] of tolerations.entries()) {
    const { key, operator, value, effect } = toleration
    const identity = JSON.stringify([key, operator, value, effect])
    if (seen.has(identity)) errors.push(duplicate(`scheduling.tolerations[${index}]`, shownStruct('core.Toleration', toleration)))
    seen.add(identity)
  }
  return errors
}

export function validateRuntimeClassUpdate(next: RuntimeClass, current: RuntimeClass): FieldError[] {
  const immutable = next.handler === current.handler ? [] : [changed('handler')]
  return [...validateRuntimeClass(next), ...immutable]
}
