// Warnings about pods and templates that are valid, but probably not intended. The texts are those of Kubernetes.
// Kubernetes: pkg/api/pod.GetWarningsForPod, GetWarningsForPodTemplate, warningsForPodSpecAndMeta
// Kubernetes: pkg/api/persistentvolumeclaim.GetWarningsForPersistentVolumeClaimSpec
import { trimLastSlashes } from '../../../../base/url.ts'
import { ipWarnings } from '../../../machinery/validation/ip-address.ts'
import { isDns1123Label } from '../../../machinery/validation/names.ts'
import type { Container, Pod, PodSpec, Volume } from '../../../types.ts'
import { deprecatedNodeLabels, nodeSelectorTermWarnings } from '../node/label-warnings.ts'
import { containerWarnings, fractionWarnings, type PlacedContainer, portWarnings, useSeccompField } from './container-warnings.ts'

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: PodSpec
}

function nameWarnings(name: string, use: string): string[] {
  const messages = isDns1123Label(name)
  const advice = `which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`
  return messages.length === 0 ? [] : [`metadata.name: this is used in ${use}, ${advice}`]
}

export const podNameWarnings = (name: string) => nameWarnings(name, "the Pod's hostname")
export const workloadNameWarnings = (name: string) => nameWarnings(name, 'Pod names and hostnames')

export const podWarnings = (pod: Pod): string[] => specWarnings('', pod)

/** The warnings about the template at `path`, such as `spec.template`. */
export const templateWarnings = (path: string, template: Template | undefined): string[] =>
  template === undefined ? [] : specWarnings(`${path}.`, template)

function specWarnings(prefix: string, { metadata, spec }: Template): string[] {
  if (spec === undefined) return []
  const annotations = metadata?.annotations ?? {}
  const path = `${prefix}spec`
  const containers = placedContainers(spec, path)
  return [
    ...nodeLabelWarnings(spec, path),
    ...annotationWarnings(annotations, `${prefix}metadata.annotations`),
    ...volumeWarnings(spec.volumes ?? [], path),
    ...virtualPathWarnings(spec.volumes ?? []),
    ...duplicateWarnings(spec, path),
    ...overheadWarnings(spec, path),
    ...seccompWarnings(spec, annotations, prefix),
    ...containers.flatMap((placed) => containerWarnings(placed, annotations, prefix, spec)),
    ...portWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec, path),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, i) => ipWarnings(`${path}.dnsConfig.nameservers[${i}]`, server)),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, i) => ipWarnings(`${path}.hostAliases[${i}].ip`, ip)),
  ]
}

function placedContainers(spec: PodSpec, path: string): PlacedContainer[] {
  const place = (list: readonly Container[] | undefined, name: string) =>
    (list ?? []).map((container, i) => ({ container, path: `${path}.${name}[${i}]` }))
  return [
    ...place(spec.initContainers, 'initContainers'),
    ...place(spec.containers, 'containers'),
    ...place(spec.ephemeralContainers as readonly Container[] | undefined, 'ephemeralContainers'),
  ]
}

function nodeLabelWarnings(spec: PodSpec, path: string): string[] {
  const warnings: string[] = []
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const message = deprecatedNodeLabels.get(key)
    if (message !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${message}`)
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred } =
    spec.affinity?.nodeAffinity ?? {}
  const place = `${path}.affinity.nodeAffinity`
  for (const [i, term] of (required?.nodeSelectorTerms ?? []).entries())
    warnings.push(
      ...nodeSelectorTermWarnings(term, false, `${place}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`),
    )
  for (const [i, { preference }] of (preferred ?? []).entries())
    warnings.push(
      ...nodeSelectorTermWarnings(preference, true, `${place}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`),
    )
  for (const [i, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const here = `${path}.topologySpreadConstraints[${i}]`
    const message = deprecatedNodeLabels.get(topologyKey)
    if (message !== undefined) warnings.push(`${here}.topologyKey: ${topologyKey} is ${message}`)
    if (!labelSelector) warnings.push(`${here}.labelSelector: ${matchesNothing}`)
  }
  return warnings
}

const matchesNothing = 'a null labelSelector results in matching no pod'

const deprecatedAnnotations = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const

function annotationWarnings(annotations: Readonly<Record<string, string>>, path: string): string[] {
  return deprecatedAnnotations.filter(([key]) => Object.hasOwn(annotations, key)).map(([key, message]) => `${path}[${key}]: ${message}`)
}

const removedPlugins: readonly (readonly [keyof Volume, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

function volumeWarnings(volumes: readonly Volume[], path: string): string[] {
  const warnings: string[] = []
  for (const [i, volume] of volumes.entries()) {
    const here = `${path}.volumes[${i}]`
    for (const [field, name, message] of removedPlugins) if (volume[field] !== undefined) warnings.push(`${here}.${name}: ${message}`)
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec
    if (claim) warnings.push(...claimSpecWarnings(`${here}.ephemeral.volumeClaimTemplate.spec`, claim))
  }
  return warnings
}

/** Warns about fractions of a byte. */
export function claimSpecWarnings(path: string, spec: { readonly resources?: Resources } | undefined): string[] {
  return [
    ...fractionWarnings(`${path}.resources.requests[storage]`, spec?.resources?.requests?.['storage']),
    ...fractionWarnings(`${path}.resources.limits[storage]`, spec?.resources?.limits?.['storage']),
  ]
}

interface Resources {
  readonly requests?: Readonly<Record<string, string>>
  readonly limits?: Readonly<Record<string, string>>
}

function duplicateWarnings(spec: PodSpec, path: string): string[] {
  const warnings: string[] = []
  const addresses = new Set<string>()
  for (const [i, { ip }] of (spec.hostAliases ?? []).entries()) {
    if (addresses.has(ip)) warnings.push(`${path}.hostAliases[${i}].ip: duplicate ip ${JSON.stringify(ip)}`)
    addresses.add(ip)
  }
  const names = new Set<string>()
  for (const [i, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (names.has(name)) warnings.push(`${path}.imagePullSecrets[${i}].name: duplicate name ${JSON.stringify(name)}`)
    names.add(name)
  }
  for (const [i, { name }] of (spec.imagePullSecrets ?? []).entries())
    if (!name) warnings.push(`${path}.imagePullSecrets[${i}].name: invalid empty name ""`)
  return warnings
}

function overheadWarnings({ overhead }: PodSpec, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => fractionWarnings(`${path}.overhead[${name}]`, overhead?.[name]))
}

function seccompWarnings(spec: PodSpec, annotations: Readonly<Record<string, string>>, prefix: string): string[] {
  const key = 'seccomp.security.alpha.kubernetes.io/pod'
  if (spec.securityContext?.seccompProfile || !Object.hasOwn(annotations, key)) return []
  return [`${prefix}metadata.annotations[${key}]: ${useSeccompField}`]
}

function affinityWarnings({ affinity }: PodSpec, path: string): string[] {
  const warnings: string[] = []
  for (const name of ['podAffinity', 'podAntiAffinity'] as const) {
    const place = `${path}.affinity.${name}`
    for (const [i, { labelSelector }] of (affinity?.[name]?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries())
      if (!labelSelector) warnings.push(`${place}.requiredDuringSchedulingIgnoredDuringExecution[${i}].labelSelector: ${matchesNothing}`)
    for (const [i, { podAffinityTerm }] of (affinity?.[name]?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries())
      if (!podAffinityTerm?.labelSelector)
        warnings.push(`${place}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.labelSelector: ${matchesNothing}`)
  }
  return warnings
}

// Warnings about files of one volume with overlapping paths.
// Kubernetes: pkg/api/pod.warningsForOverlappingVirtualPaths
interface PathAndSource {
  readonly path: string
  readonly source: string
}

type Items = readonly { readonly path: string }[]
type Source = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

function virtualPathWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { name, configMap, secret, downwardAPI, projected } = volume
    const warn = (what: string, items: Items | undefined) =>
      overlaps(paths(items ?? [], '')).map((text) => `volume ${JSON.stringify(name)} (${what}): overlapping paths: ${text}`)
    return [
      ...warn(`ConfigMap ${JSON.stringify(configMap?.name ?? '')}`, configMap?.items),
      ...warn(`Secret ${JSON.stringify(secret?.secretName ?? '')}`, secret?.items),
      ...warn('DownwardAPI', downwardAPI?.items),
      ...projectedWarnings(name, projected?.sources ?? []),
    ]
  })
}

function projectedWarnings(name: string, sources: readonly Source[]): string[] {
  const empty = sources.filter((source) => Object.keys(source).length === 0)
  return [
    ...empty.map(() => `volume ${JSON.stringify(name)} (Projected) has no sources provided`),
    ...overlaps(sources.flatMap(sourcePaths)).map((text) => `volume ${JSON.stringify(name)} (Projected): overlapping paths: ${text}`),
  ]
}

function sourcePaths({ configMap, secret, downwardAPI, serviceAccountToken }: Source): PathAndSource[] {
  if (configMap?.items) return paths(configMap.items, `ConfigMap ${JSON.stringify(configMap.name ?? '')}`)
  if (secret?.items) return paths(secret.items, `Secret ${JSON.stringify(secret.name ?? '')}`)
  if (downwardAPI?.items) return paths(downwardAPI.items, 'DownwardAPI')
  return serviceAccountToken ? paths([serviceAccountToken], 'ServiceAccountToken') : []
}

const paths = (items: Items, source: string): PathAndSource[] => items.map(({ path }) => ({ path: trimLastSlashes(path), source }))

const show = ({ path, source }: PathAndSource) => (source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`)

// Bounds the comparison of every path with every other one.
const maxCompared = 200

/** Every path that is another one, lies inside it, or contains it. */
function overlaps(all: readonly PathAndSource[]): string[] {
  const found: string[] = []
  const compared = all.slice(0, maxCompared)
  for (const [i, needle] of compared.entries()) {
    if (needle.path === '') continue
    for (const item of compared.slice(0, i))
      if (item.path !== '' && (`${item.path}/`.startsWith(`${needle.path}/`) || `${needle.path}/`.startsWith(`${item.path}/`)))
        found.push(`${show(needle)} with ${show(item)}`)
  }
  return found
}
