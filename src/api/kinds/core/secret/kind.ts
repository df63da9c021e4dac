import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Secret } from '../../../types.ts'
import { secretColumns } from './columns.ts'
import { defaultSecret } from './defaults.ts'
import { secretTypes } from './schema.ts'
import { validateSecret, validateSecretUpdate } from './validation.ts'

export const secrets: Kind<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  type: 'core.Secret',
  types: secretTypes,
  strategy: {
    names: 'dns-subdomain',
    default: defaultSecret,
    validate: validateSecret,
    validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateSecretUpdate),
  },
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: secretColumns,
  unknownFieldMessage: unsupportedField,
}
