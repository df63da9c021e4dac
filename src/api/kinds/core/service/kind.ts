import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { proxyVerbs } from '../../../machinery/subresource-verbs.ts'
import type { Service } from '../../../types.ts'
import { serviceColumns } from './columns.ts'
import { serviceTypes } from './schema.ts'
import { serviceStrategy } from './strategy.ts'

export const services: Kind<Service> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  type: 'core.Service',
  types: serviceTypes,
  strategy: serviceStrategy,
  subresources: { status: true, others: [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: proxyVerbs }] },
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
    'spec.type': ({ spec }) => spec?.type ?? '',
  },
  columns: serviceColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}
