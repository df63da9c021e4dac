import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { StorageClass } from '../../../types.ts'

const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

export const storageClassColumns = columnsOf<StorageClass>([
  { ...nameColumn, cell: nameCell },
  text('Provisioner', 'What makes its volumes.', ({ provisioner }) => provisioner ?? ''),
  text('ReclaimPolicy', 'What becomes of a volume when its claim goes.', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
  text('VolumeBindingMode', 'When a claim is bound.', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
  text('AllowVolumeExpansion', 'Whether claims may grow.', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
  ageColumn,
])

function nameCell(storageClass: StorageClass): string {
  const isDefault = defaultClassAnnotations.some((name) => storageClass.metadata?.annotations?.[name] === 'true')
  return isDefault ? `${nameOf(storageClass)} (default)` : nameOf(storageClass)
}
