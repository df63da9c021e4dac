// Kubernetes: pkg/apis/core/v1.SetDefaults_PersistentVolumeClaim, SetDefaults_PersistentVolumeClaimSpec
import { fill } from '../../../machinery/fields.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { PersistentVolumeClaim, Writable } from '../../../types.ts'

type ClaimSpec = NonNullable<Writable<PersistentVolumeClaim>['spec']>

export function defaultClaimSpec(spec: ClaimSpec | undefined | null): ClaimSpec {
  roundResources(spec?.resources?.limits)
  roundResources(spec?.resources?.requests)
  return fill('core.PersistentVolumeClaimSpec', spec, { resources: {}, volumeMode: 'Filesystem' })
}

export function defaultPersistentVolumeClaim(claim: Writable<PersistentVolumeClaim>): void {
  claim.spec = defaultClaimSpec(claim.spec)
  roundResources(claim.status?.capacity)
  roundResources(claim.status?.allocatedResources)
  claim.status = fill('core.PersistentVolumeClaimStatus', claim.status, { phase: 'Pending' })
}
