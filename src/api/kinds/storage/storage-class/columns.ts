import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { StorageClass } from '../../../types.ts'

const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

export const storageClassColumns: Columns<StorageClass> = {
  definitions: [
    nameColumn,
    text('Provisioner', 'What makes its volumes.'),
    text('ReclaimPolicy', 'What becomes of a volume when its claim goes.'),
    text('VolumeBindingMode', 'When a claim is bound.'),
    text('AllowVolumeExpansion', 'Whether claims may grow.'),
    ageColumn,
  ],
  cells: (storageClass, nowMs) => [
    defaultClassAnnotations.some((name) => storageClass.metadata?.annotations?.[name] === 'true')
      ? `${nameOf(storageClass)} (default)`
      : nameOf(storageClass),
    storageClass.provisioner ?? '',
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    ageOf(storageClass, nowMs),
  ],
}
