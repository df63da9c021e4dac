// The admission plugins in Kubernetes' order. Quotas are charged last, together with the write itself, as a reservation must be
// used or released (../rest/write-pipeline.ts).
import { defaultStorageClass } from './default-storage-class.ts'
import { defaultTolerations } from './default-tolerations.ts'
import { limitRanger } from './limit-ranger.ts'
import { namespaceLifecycle } from './namespace-lifecycle.ts'
import { newNodeTaint } from './new-node-taint.ts'
import type { AdmissionPlugin } from './plugin.ts'
import { priority } from './priority.ts'
import { serviceAccount } from './service-account.ts'
import { storageProtection } from './storage-protection.ts'

export const admissionPlugins: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  newNodeTaint,
  priority,
  defaultTolerations,
  storageProtection,
  defaultStorageClass,
]
