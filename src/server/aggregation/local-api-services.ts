// The APIServices of the versions that the API server itself serves, with Kubernetes' priorities. Pure.
// Kubernetes: pkg/controlplane/apiserver.DefaultGenericAPIServicePriorities
// Kubernetes: k8s.io/kube-aggregator/pkg/controllers/autoregister.autoRegisterController.checkAPIService
import type { Kind } from '../../api/machinery/kind.ts'
import type { ApiService } from '../../api/types.ts'

export const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged'

interface Priority {
  readonly group: number
  readonly version: number
}

const builtInPriorities: Readonly<Record<string, readonly [number, number]>> = {
  '/v1': [18000, 1],
  'apps/v1': [17800, 15],
  'events.k8s.io/v1': [17750, 15],
  'authentication.k8s.io/v1': [17700, 15],
  'authorization.k8s.io/v1': [17600, 15],
  'autoscaling/v1': [17500, 15],
  'autoscaling/v2': [17500, 30],
  'batch/v1': [17400, 15],
  'certificates.k8s.io/v1': [17300, 15],
  'networking.k8s.io/v1': [17200, 15],
  'policy/v1': [17100, 15],
  'rbac.authorization.k8s.io/v1': [17000, 15],
  'storage.k8s.io/v1': [16800, 15],
  'admissionregistration.k8s.io/v1': [16700, 15],
  'apiextensions.k8s.io/v1': [16700, 15],
  'scheduling.k8s.io/v1': [16600, 15],
  'coordination.k8s.io/v1': [16500, 15],
  'node.k8s.io/v1': [16300, 15],
  'discovery.k8s.io/v1': [16200, 15],
  'resource.k8s.io/v1': [16200, 21],
  'flowcontrol.apiserver.k8s.io/v1': [16100, 21],
  'storagemigration.k8s.io/v1': [15800, 15],
}

/**
 * Versions that the API server serves without an APIService for them: that of the APIServices themselves, which discovery lists first,
 * and that of usage metrics, with the priorities that metrics-server registers.
 */
const otherPriorities: Readonly<Record<string, readonly [number, number]>> = {
  'apiregistration.k8s.io/v1': [Number.MAX_SAFE_INTEGER, 1],
  'metrics.k8s.io/v1beta1': [100, 100],
}

const customPriority: Priority = { group: 1000, version: 100 }

/** Where discovery lists a version that the API server itself serves. */
export function localPriority(group: string, version: string): Priority {
  const found = builtInPriorities[`${group}/${version}`] ?? otherPriorities[`${group}/${version}`]
  return found === undefined ? customPriority : { group: found[0], version: found[1] }
}

export function builtInApiServices(): ApiService[] {
  return Object.keys(builtInPriorities).map((key) => {
    const slash = key.indexOf('/')
    return localApiService(key.slice(0, slash), key.slice(slash + 1), 'onstart')
  })
}

/** One for each version that CustomResourceDefinitions add, by name. */
export function customApiServices(kinds: readonly Kind[]): ReadonlyMap<string, ApiService> {
  const found = new Map<string, ApiService>()
  for (const { group, version } of kinds) {
    const name = `${version}.${group}`
    if (!found.has(name)) found.set(name, localApiService(group, version, 'true'))
  }
  return found
}

function localApiService(group: string, version: string, automanaged: 'onstart' | 'true'): ApiService {
  const priority = localPriority(group, version)
  return {
    metadata: { name: `${version}.${group}`, labels: { [automanagedLabel]: automanaged } },
    spec: { ...(group !== '' && { group }), version, groupPriorityMinimum: priority.group, versionPriority: priority.version },
  }
}
