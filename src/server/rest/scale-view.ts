// An object as a Scale.
// Kubernetes: pkg/registry/apps/deployment/storage.scaleFromDeployment
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.scaleFromCustomResource
import type { Kind, ScaleAccess } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Scale } from '../../api/types.ts'

export const accessOf = (kind: Kind): ScaleAccess<KubernetesObject> => kind.scale as ScaleAccess<KubernetesObject>

export function scaleOf(kind: Kind, object: KubernetesObject): Scale {
  const { name = '', namespace = '', uid = '', resourceVersion = '', creationTimestamp = '' } = object.metadata ?? {}
  const access = accessOf(kind)
  const replicas = access.replicas(object)
  const selector = access.selector(object)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: access.statusReplicas(object), ...(selector !== '' && { selector }) },
  }
}
