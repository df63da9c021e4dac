// Kubernetes: pkg/apis/core/helper.GetPersistentVolumeClass, GetPersistentVolumeClaimClass
export const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
export const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead'
