import type { Kind } from '../../../machinery/kind.ts'
import type { CsiDriver } from '../../../types.ts'
import { csiDriverColumns } from './columns.ts'
import { defaultCsiDriver } from './defaults.ts'
import { csiDriverTypes } from './schema.ts'
import { validateCsiDriver } from './validation.ts'

export const csiDrivers: Kind<CsiDriver> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
  type: 'storage.CSIDriver',
  types: csiDriverTypes,
  strategy: {
    names: 'dns-subdomain',
    unconditionalUpdate: false,
    default: defaultCsiDriver,
    validate: validateCsiDriver,
  },
  columns: csiDriverColumns,
  returnsDeletedObject: true,
}
