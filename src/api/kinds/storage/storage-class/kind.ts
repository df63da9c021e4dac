// Kubernetes: pkg/registry/storage/storageclass.storageClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printStorageClass
// Kubernetes: pkg/apis/storage/v1.SetDefaults_StorageClass
import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import { fillObject } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { StorageClass } from '../../../types.ts'
import { deprecatedNodeLabels } from '../../core/node/label-warnings.ts'
import { validateStorageClass, validateStorageClassUpdate } from './validation.ts'

const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

export const storageClasses: Kind<StorageClass> = {
  ...resource('storage.StorageClass'),
  strategy: {
    default(storageClass) {
      fillObject('storage.StorageClass', storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
    },
    validate: validateStorageClass,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateStorageClassUpdate,
    warnings: ({ allowedTopologies }) =>
      (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }, i) =>
        (matchLabelExpressions ?? []).flatMap(({ key }, j) => {
          const message = deprecatedNodeLabels.get(key)
          return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`]
        }),
      ),
  },
  columns: columnsOf([
    { ...nameColumn, cell: nameCell },
    text('Provisioner', 'What makes its volumes.', ({ provisioner }) => provisioner ?? ''),
    text('ReclaimPolicy', 'What becomes of a volume when its claim goes.', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
    text('VolumeBindingMode', 'When a claim is bound.', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
    text('AllowVolumeExpansion', 'Whether claims may grow.', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

function nameCell(storageClass: StorageClass): string {
  const isDefault = defaultClassAnnotations.some((name) => storageClass.metadata?.annotations?.[name] === 'true')
  return isDefault ? `${nameOf(storageClass)} (default)` : nameOf(storageClass)
}
