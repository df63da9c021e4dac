import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Secret } from '../../../types.ts'
import { secretColumns } from './columns.ts'
import { secretTypes } from './schema.ts'
import { secretStrategy } from './strategy.ts'

export const secrets: Kind<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  namespaced: true,
  type: 'core.Secret',
  types: secretTypes,
  strategy: secretStrategy,
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: secretColumns,
  unknownFieldMessage: unsupportedField,
}
