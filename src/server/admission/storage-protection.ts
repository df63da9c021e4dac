// Adds the finalizer that protects volumes and claims while a pod uses them.
// Kubernetes: plugin/pkg/admission/storage/storageobjectinuseprotection.storageProtectionPlugin.*
import { addProtectionFinalizer } from '../../api/machinery/protection-finalizer.ts'
import type { AdmissionPlugin } from './plugin.ts'

export const storageProtection: AdmissionPlugin = {
  concerns: ({ protectionFinalizer }) => protectionFinalizer !== undefined,
  admit({ kind, current, next }) {
    if (current === undefined) addProtectionFinalizer(kind, next)
  },
}
