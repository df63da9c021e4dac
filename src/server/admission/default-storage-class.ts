// Sets the default StorageClass of claims without a class.
import { storageClasses } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, StorageClass, Writable } from '../../api/types.ts'
import { newestDefault } from './newest-default.ts'
import { type AdmissionPlugin, creates } from './plugin.ts'

export const defaultStorageClass: AdmissionPlugin = {
  admit(write) {
    if (creates(write, 'core.PersistentVolumeClaim'))
      setDefaultStorageClass(write.next as Writable<PersistentVolumeClaim>, write.cluster.list(storageClasses, ''))
    return undefined
  },
}

const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

export function setDefaultStorageClass(claim: Writable<PersistentVolumeClaim>, classes: readonly StorageClass[]): void {
  if (claim.spec === undefined || claim.spec.storageClassName !== undefined) return
  if (claim.metadata?.annotations !== undefined && Object.hasOwn(claim.metadata.annotations, classAnnotation)) return
  const name = newestDefault(classes, isDefault)
  if (name !== undefined) claim.spec.storageClassName = name
}
