// Kubernetes: pkg/registry/core/configmap.strategy.*
// Kubernetes: pkg/printers/internalversion.printConfigMap
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ConfigMap } from '../../../types.ts'
import { validateConfigMap, validateConfigMapUpdate } from './validation.ts'

export const configMaps: Kind<ConfigMap> = {
  ...resource('core.ConfigMap'),
  strategy: {
    validate: validateConfigMap,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateConfigMapUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text(
      'Data',
      'How many entries it has.',
      ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    ),
    ageColumn,
  ]),
}
