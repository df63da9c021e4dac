// Sets the default StorageClass of claims without a class.
import { storageClasses } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, StorageClass, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, creates } from './plugin.ts'

export const defaultStorageClass: AdmissionPlugin = {
  admit(write) {
    if (creates(write, 'core.PersistentVolumeClaim'))
      setDefaultStorageClass(write.next as Writable<PersistentVolumeClaim>, write.cluster.list(storageClasses, ''))
    return undefined
  },
}

const isDefault = 'storageclass.kubernetes.io/is-default-class'
const wasDefault = 'storageclass.beta.kubernetes.io/is-default-class'
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Of several default classes the newest is used, then the first by name. */
export function setDefaultStorageClass(claim: Writable<PersistentVolumeClaim>, classes: readonly StorageClass[]): void {
  if (claim.spec === undefined || claim.spec.storageClassName !== undefined) return
  if (claim.metadata?.annotations !== undefined && Object.hasOwn(claim.metadata.annotations, classAnnotation)) return
  const [newest] = classes
    .filter(({ metadata }) => metadata?.annotations?.[isDefault] === 'true' || metadata?.annotations?.[wasDefault] === 'true')
    .sort((a, b) => compare(b.metadata?.creationTimestamp, a.metadata?.creationTimestamp) || compare(a.metadata?.name, b.metadata?.name))
  if (newest?.metadata?.name !== undefined) claim.spec.storageClassName = newest.metadata.name
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0)
