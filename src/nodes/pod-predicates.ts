// Kubernetes: k8s.io/component-helpers/scheduling/corev1/nodeaffinity.GetRequiredNodeAffinity
// Kubernetes: pkg/kubelet/lifecycle.predicateAdmitHandler.Admit, generalFilter
import type { Pod, Stored } from '../api/types.ts'

export const versionOf = ({ metadata }: Stored<Pod>) => Number(metadata.resourceVersion)
/** Whether the pod has to be stopped at a certain time: at the end of its grace period, or at its deadline. */
export const isTerminatingOrTimed = ({ metadata, spec }: Pod) =>
  Boolean(metadata?.deletionTimestamp) || spec?.activeDeadlineSeconds !== undefined
export const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string }): boolean => restartPolicy === 'Always'
