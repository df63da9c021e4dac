import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'
import { runtimeClassTypes } from './schema.ts'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts'

export const runtimeClasses: Kind<RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  type: 'node.RuntimeClass',
  types: runtimeClassTypes,
  strategy: {
    names: 'dns-subdomain',
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: validateRuntimeClass,
    validateUpdate: validateRuntimeClassUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Handler', 'The configuration of the container runtime that it names.', ({ handler }) => handler ?? ''),
    ageColumn,
  ]),
}
