import type { Kind } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { StorageClass } from '../../../types.ts'
import { deprecatedNodeLabels } from '../../core/node/label-warnings.ts'
import { storageClassColumns } from './columns.ts'
import { defaultStorageClass } from './defaults.ts'
import { storageClassTypes } from './schema.ts'
import { validateStorageClass, validateStorageClassUpdate } from './validation.ts'

export const storageClasses: Kind<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  type: 'storage.StorageClass',
  types: storageClassTypes,
  strategy: {
    names: 'dns-subdomain',
    default: defaultStorageClass,
    validate: validateStorageClass,
    validateUpdate: andAsNew('cluster', 'dns-subdomain', validateStorageClassUpdate),
    warnings: ({ allowedTopologies }) =>
      (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }, i) =>
        (matchLabelExpressions ?? []).flatMap(({ key }, j) => {
          const message = deprecatedNodeLabels.get(key)
          return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`]
        }),
      ),
  },
  columns: storageClassColumns,
  returnsDeletedObject: true,
}
