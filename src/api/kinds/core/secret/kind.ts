import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Secret } from '../../../types.ts'
import { defaultSecret } from './defaults.ts'
import { validateSecret, validateSecretUpdate } from './validation.ts'

export const secrets: Kind<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  type: 'core.Secret',
  types: {
    'core.Secret': {
      $typeMeta: 'object',
      immutable: '*bool #5',
      data: 'map bytes #2',
      stringData: 'map string #4',
      type: 'string goType=v1.SecretType #3',
    },
  },
  strategy: {
    default: defaultSecret,
    validate: validateSecret,
    validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateSecretUpdate),
  },
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Type', 'What kind of secret it is.', ({ type }) => type ?? ''),
    text('Data', 'How many entries it has.', ({ data }) => Object.keys(data ?? {}).length),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
}
