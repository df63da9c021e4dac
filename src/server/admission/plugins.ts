// The admission plugins in Kubernetes' order. Quotas are charged last, together with the write itself, as a reservation must be
// used or released (../rest/write-pipeline.ts).
// Kubernetes: pkg/kubeapiserver/options.AllOrderedPlugins, DefaultOffAdmissionPlugins
import type { SwitchablePlugin } from '../../api/machinery/switchable-plugins.ts'
import { claimAdminAccess, templateAdminAccess } from './admin-access.ts'
import { certificateSubject } from './certificate-subject.ts'
import { claimResize } from './claim-resize.ts'
import { declaredFeatures } from './declared-features.ts'
import { defaultIngressClass, defaultStorageClass } from './default-class.ts'
import { defaultTolerations } from './default-tolerations.ts'
import { claimLimits, podLimits } from './limit-ranger.ts'
import { namespaceDeletion, namespaceLifecycle } from './namespace-lifecycle.ts'
import { newNodeTaint } from './new-node-taint.ts'
import type { AdmissionPlugin } from './plugin.ts'
import { podResize } from './pod-resize.ts'
import { defaultPodSecurity, type PodSecurityConfiguration } from './pod-security/configuration.ts'
import { podSecurity } from './pod-security/pod-security.ts'
import { podTopology } from './pod-topology.ts'
import { priority, priorityClass } from './priority.ts'
import { runtimeClass } from './runtime-class.ts'
import { serviceAccount } from './service-account.ts'
import { storageProtection } from './storage-protection.ts'
import { tokenAccount } from './token-account.ts'

/** `enabled`: the switchable plugins that are on. */
export const admissionPlugins = (
  enabled: readonly SwitchablePlugin[],
  podSecurityConfiguration: PodSecurityConfiguration = defaultPodSecurity,
): readonly AdmissionPlugin[] => [
  namespaceLifecycle,
  namespaceDeletion,
  podLimits,
  claimLimits,
  enabled.includes('ServiceAccount') ? serviceAccount : tokenAccount,
  newNodeTaint,
  ...podSecurity(podSecurityConfiguration),
  priority,
  priorityClass,
  defaultTolerations,
  storageProtection,
  claimResize,
  runtimeClass,
  certificateSubject,
  defaultStorageClass,
  defaultIngressClass,
  podTopology,
  declaredFeatures,
  podResize,
  claimAdminAccess,
  templateAdminAccess,
]
