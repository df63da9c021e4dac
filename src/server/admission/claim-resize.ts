// A claim may grow where it is bound and its class allows it (PersistentVolumeClaimResize).
// Kubernetes: plugin/pkg/admission/storage/persistentvolume/resize.persistentVolumeClaimResize.Validate
// Kubernetes: plugin/pkg/admission/storage/persistentvolume/resize.persistentVolumeClaimResize.allowResize
import { persistentVolumeClaims, storageClasses } from '../../api/kinds.ts'
import type { PersistentVolumeClaim } from '../../api/types.ts'
import { compareQuantities, parseQuantity, zeroQuantity } from '../../base/quantity.ts'
import { type AdmissionPlugin, among } from './plugin.ts'

export const claimResize: AdmissionPlugin = {
  concerns: among(persistentVolumeClaims),
  check({ subresource, current, next, cluster }) {
    if (subresource !== undefined || current === undefined) return undefined
    const [claim, before] = [next, current] as readonly [PersistentVolumeClaim, PersistentVolumeClaim]
    if (compareQuantities(sizeOf(claim), sizeOf(before)) <= 0) return undefined
    if (before.status?.phase !== 'Bound') return 'Only bound persistent volume claims can be expanded'
    const name = classOf(claim)
    const isAllowed = name !== '' && name === classOf(before) && cluster.get(storageClasses, '', name)?.allowVolumeExpansion === true
    if (isAllowed) return undefined
    return 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  },
}

const sizeOf = ({ spec }: PersistentVolumeClaim) => parseQuantity(spec?.resources?.requests?.['storage'] ?? '0') ?? zeroQuantity

const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? ''
