// How the scale subresource reads and writes a kind.
// Kubernetes: pkg/registry/apps/deployment/storage.ScaleREST.*, scaleFromDeployment, scaleUpdatedObjectInfo.*
import { formatRequirements, type LabelSelectorObject, selectorRequirements } from '../../../../base/label-selector.ts'
import type { ScaleAccess } from '../../../machinery/kind.ts'
import type { KubernetesObject } from '../../../types.ts'

interface Scalable extends KubernetesObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelectorObject }
  readonly status?: { readonly replicas?: number }
}

export const setReplicas = (object: { spec?: { replicas?: number } }, replicas: number) => {
  // Assigned in place: after defaulting the field is there, so the order of fields stays.
  object.spec = { ...object.spec, replicas }
}

/** Deployments, ReplicaSets and StatefulSets. */
export function selectorScale<T extends Scalable>(): ScaleAccess<T> {
  return {
    replicas: ({ spec }) => spec?.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: ({ spec }) => formatRequirements(selectorRequirements(spec?.selector) ?? []),
    setReplicas: setReplicas as ScaleAccess<T>['setReplicas'],
  }
}
