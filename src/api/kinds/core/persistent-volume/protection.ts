// A finalizer keeps volumes and claims from being removed while they are in use.
import { replaceFields } from '../../../machinery/fields.ts'
import type { KubernetesObject, ObjectMeta, Writable } from '../../../types.ts'

const finalizers = new Map([
  ['PersistentVolume', 'kubernetes.io/pv-protection'],
  ['PersistentVolumeClaim', 'kubernetes.io/pvc-protection'],
])

/** At creation. Does nothing to objects of other kinds. */
export function addProtectionFinalizer(kind: string, object: Writable<KubernetesObject>): void {
  const finalizer = finalizers.get(kind)
  if (finalizer === undefined || object.metadata?.finalizers?.includes(finalizer)) return
  const metadata: Writable<ObjectMeta> = object.metadata ?? {}
  object.metadata = replaceFields('meta.ObjectMeta', metadata, { finalizers: [...(metadata.finalizers ?? []), finalizer] })
}
