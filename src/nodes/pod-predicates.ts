// Kubernetes: k8s.io/component-helpers/scheduling/corev1/nodeaffinity.GetRequiredNodeAffinity
// Kubernetes: pkg/kubelet/lifecycle.predicateAdmitHandler.Admit, generalFilter
import type { Pod, Stored } from '../api/types.ts'

export const versionOf = ({ metadata }: Stored<Pod>) => Number(metadata.resourceVersion)
export const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string }): boolean => restartPolicy === 'Always'
