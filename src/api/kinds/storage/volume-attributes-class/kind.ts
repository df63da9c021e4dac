// Kubernetes: pkg/registry/storage/volumeattributesclass.volumeAttributesClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printVolumeAttributesClass
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { VolumeAttributesClass } from '../../../types.ts'
import { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from './validation.ts'

export const volumeAttributesClasses: Kind<VolumeAttributesClass> = {
  ...resource('storage.VolumeAttributesClass'),
  strategy: {
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateVolumeAttributesClass,
    validateUpdate: validateVolumeAttributesClassUpdate,
  },
  columns: columnsOf([nameColumn, text('DriverName', 'The driver that it is for.', ({ driverName }) => driverName ?? ''), ageColumn]),
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/vac-protection',
}
