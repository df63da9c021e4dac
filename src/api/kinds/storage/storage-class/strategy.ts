import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { StorageClass } from '../../../types.ts'
import { deprecatedNodeLabels } from '../../core/node/label-warnings.ts'
import { defaultStorageClass } from './defaults.ts'
import { validateStorageClass, validateStorageClassUpdate } from './validation.ts'

export const storageClassStrategy: Strategy<StorageClass> = {
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
}
