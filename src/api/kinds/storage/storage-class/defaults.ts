import { fillObject } from '../../../machinery/fields.ts'
import type { StorageClass, Writable } from '../../../types.ts'

export function defaultStorageClass(storageClass: Writable<StorageClass>): void {
  fillObject('storage.StorageClass', storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
}
