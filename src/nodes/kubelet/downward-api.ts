// The downward API: values of the pod and of the resources of its containers, for environment variables and files.
// Kubernetes: pkg/kubelet.Kubelet.podFieldSelectorRuntimeValue, containerResourceRuntimeValue
// Kubernetes: pkg/fieldpath.ExtractFieldPathAsString
// Kubernetes: pkg/api/v1/resource.ExtractContainerResourceValue, MergeContainerResourceLimits
// Kubernetes: pkg/kubelet.Kubelet.defaultPodLimitsForDownwardAPI
import type { Container, Pod } from '../../api/types.ts'
import { parseQuantity, zeroQuantity } from '../../base/quantity.ts'
import type { PodEnvironment } from './sync-context.ts'

type EnvVar = NonNullable<Container['env']>[number]
type ResourceField = NonNullable<NonNullable<EnvVar['valueFrom']>['resourceFieldRef']>

/** '' for a path that is not known. */
export function fieldValue({ metadata = {}, spec }: Pod, path: string, environment: PodEnvironment): string {
  const entry = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path)
  if (entry !== null) {
    const entries = metadata[entry[1] as 'labels' | 'annotations'] ?? {}
    return Object.hasOwn(entries, entry[2]!) ? entries[entry[2]!]! : ''
  }
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? ''
    case 'metadata.namespace':
      return metadata.namespace ?? ''
    case 'metadata.uid':
      return metadata.uid ?? ''
    case 'metadata.labels':
      return formatEntries(metadata.labels)
    case 'metadata.annotations':
      return formatEntries(metadata.annotations)
    case 'spec.nodeName':
      return spec?.nodeName ?? ''
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? 'default'
    case 'status.hostIP':
    case 'status.hostIPs':
      return environment.hostIp
    case 'status.podIP':
    case 'status.podIPs':
      return spec?.hostNetwork ? environment.hostIp : environment.podIp
    default:
      return ''
  }
}

/** A line `key="value"` for each entry, without the line break after the last one. */
const formatEntries = (entries: Readonly<Record<string, string>> = {}): string =>
  Object.keys(entries)
    .sort()
    .map((key) => `${key}=${JSON.stringify(entries[key])}`)
    .join('\n')

/** In units of the divisor, rounded up. A container without a limit may use the allocatable amount of its node. */
export function resourceValue(
  { spec }: Pod,
  own: Container | undefined,
  { containerName, resource = '', divisor }: ResourceField,
  environment: PodEnvironment,
): string {
  const [list, name = ''] = resource.split('.') as ['limits' | 'requests', string?]
  const named = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].find((one) => one.name === containerName)
  const amounts = (named ?? own)?.resources?.[list] ?? {}
  const bounds = list === 'limits' ? (environment.readAllocatable?.() ?? {}) : {}
  const text = Object.hasOwn(amounts, name) ? amounts[name]! : Object.hasOwn(bounds, name) ? bounds[name]! : '0'
  const quantity = parseQuantity(text) ?? zeroQuantity
  const unit = parseQuantity(divisor ?? '1')?.nano || wholeNano
  return String((quantity.nano + unit - 1n) / unit)
}

const wholeNano = 1_000_000_000n
