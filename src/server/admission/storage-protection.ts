// Adds the finalizer that protects volumes and claims while a pod uses them.
// Kubernetes: plugin/pkg/admission/storage/storageobjectinuseprotection.storageProtectionPlugin.*
import { replaceFields } from '../../api/machinery/fields.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, ObjectMeta, Writable } from '../../api/machinery/types.ts'
import type { AdmissionPlugin } from './plugin.ts'

export const storageProtection: AdmissionPlugin = {
  concerns: ({ protectionFinalizer }) => protectionFinalizer !== undefined,
  admit({ kind, current, next }) {
    if (current === undefined) addProtectionFinalizer(kind, next)
  },
}

/** At creation. Objects of kinds without such a finalizer stay as they are. */
export function addProtectionFinalizer(
  { protectionFinalizer }: Pick<Kind, 'protectionFinalizer'>,
  object: Writable<KubernetesObject>,
): void {
  if (protectionFinalizer === undefined || object.metadata?.finalizers?.includes(protectionFinalizer)) return
  const metadata: Writable<ObjectMeta> = object.metadata ?? {}
  object.metadata = replaceFields('meta.ObjectMeta', metadata, { finalizers: [...(metadata.finalizers ?? []), protectionFinalizer] })
}
