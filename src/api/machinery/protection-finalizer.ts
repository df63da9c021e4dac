// Kubernetes: plugin/pkg/admission/storage/storageobjectinuseprotection.storageProtectionPlugin.Admit
import { replaceFields } from './fields.ts'
import type { Kind } from './kind.ts'
import type { KubernetesObject, ObjectMeta, Writable } from './types.ts'

/** At creation. Objects of kinds without such a finalizer stay as they are. */
export function addProtectionFinalizer(
  { protectionFinalizer }: Pick<Kind, 'protectionFinalizer'>,
  object: Writable<KubernetesObject>,
): void {
  if (protectionFinalizer === undefined || object.metadata?.finalizers?.includes(protectionFinalizer)) return
  const metadata: Writable<ObjectMeta> = object.metadata ?? {}
  object.metadata = replaceFields('meta.ObjectMeta', metadata, { finalizers: [...(metadata.finalizers ?? []), protectionFinalizer] })
}
