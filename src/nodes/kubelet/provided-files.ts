// The files of volumes that the kubelet fills: ConfigMaps, Secrets, the downward API, tokens of the service account and trust bundles. They are read when a
// container reads them, and therefore always show the current objects.
// Kubernetes: pkg/volume/configmap.MakePayload
// Kubernetes: pkg/volume/secret.MakePayload
// Kubernetes: pkg/volume/downwardapi.CollectData
// Kubernetes: pkg/volume/projected.projectedVolumeMounter.collectData
// Kubernetes: pkg/kubelet/clustertrustbundle.InformerManager.GetTrustAnchorsByName, InformerManager.GetTrustAnchorsBySigner
import { normalizeTrustAnchors } from '../../api/kinds/certificates/cluster-trust-bundle/trust-anchors.ts'
import type { Container, Pod, PodSpec, Volume } from '../../api/types.ts'
import { type ProvidedFile, type ProvidedFiles, providedPrefix } from '../shell/files.ts'
import { fieldValue, resourceValue } from './downward-api.ts'
import type { PodEnvironment } from './sync-context.ts'

export const isProvided = ({ configMap, secret, projected, downwardAPI }: Volume): boolean =>
  (configMap ?? secret ?? projected ?? downwardAPI) !== undefined

/** Undefined: the pod has no such volume. */
export function providedFiles(pod: Pod, environment: PodEnvironment): ProvidedFiles | undefined {
  return pod.spec?.volumes?.some(isProvided) ? new PodVolumes(pod, environment) : undefined
}

type Tree = ReadonlyMap<string, ProvidedFile>
const noTree: Tree = new Map()

class PodVolumes implements ProvidedFiles {
  readonly #pod: Pod
  readonly #environment: PodEnvironment
  /** By the prefix of their keys. */
  readonly #trees = new Map<string, Tree>()

  constructor(pod: Pod, environment: PodEnvironment) {
    this.#pod = pod
    this.#environment = environment
  }

  read(key: string): ProvidedFile | undefined {
    return this.#treeOf(key).get(key)
  }

  keysBeside(key: string): Iterable<string> {
    return this.#treeOf(key).keys()
  }

  #treeOf(key: string): Tree {
    const name = key.split(':', 2)[1] ?? ''
    const prefix = providedPrefix(name)
    let tree = this.#trees.get(prefix)
    if (tree === undefined) {
      const volume = this.#pod.spec?.volumes?.find((one) => one.name === name)
      tree = volume === undefined ? noTree : treeOf(prefix, filesOf(volume, this.#pod, this.#environment), this.#pod.spec!)
      this.#trees.set(prefix, tree)
    }
    return tree
  }
}

interface VolumeFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  /** Absent: root. */
  readonly user?: number | undefined
}

/** With a group for volumes, its members can read every file. */
function treeOf(prefix: string, files: readonly VolumeFile[], { securityContext }: PodSpec): Tree {
  const { fsGroup } = securityContext ?? {}
  return new Map(
    files.map(({ path, text, mode, user = 0 }) => [
      `${prefix}/${path}`,
      { text, mode: fsGroup === undefined ? mode : mode | 0o440, user, group: fsGroup ?? 0 },
    ]),
  )
}

const standardMode = 0o644
const standardTokenSeconds = 3600

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

/** The sources of the volume, in the form of those of a projected volume. */
function projectionsOf({ configMap, secret, downwardAPI, projected }: Volume): readonly Projection[] {
  if (configMap) return [{ configMap }]
  if (secret) return [{ secret: { ...secret, name: secret.secretName ?? '' } as Projection['secret'] & object }]
  return downwardAPI ? [{ downwardAPI }] : (projected?.sources ?? [])
}

type Readers = Pick<PodEnvironment, 'readData' | 'readTrustBundles'>

/** The kubelet's error for the first volume that cannot be mounted, because an object that it shows is missing. Undefined: all can. */
export function mountError({ volumes }: PodSpec, readers: Readers): string | undefined {
  for (const volume of volumes ?? [])
    for (const projection of projectionsOf(volume)) {
      const missing = missingSource(projection, readers)
      if (missing !== undefined) return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${missing}`
    }
  return undefined
}

function missingSource({ configMap, secret, clusterTrustBundle }: Projection, { readData, readTrustBundles }: Readers): string | undefined {
  const source = configMap ?? secret ?? clusterTrustBundle
  if (source === undefined || source.optional) return undefined
  if (clusterTrustBundle) {
    if (readTrustBundles === undefined || readTrustBundles(clusterTrustBundle).length > 0) return undefined
    return clusterTrustBundle.name === undefined
      ? 'combination of signerName and labelSelector matched zero ClusterTrustBundles'
      : `while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io ${JSON.stringify(clusterTrustBundle.name)} not found`
  }
  if (readData === undefined || readData(configMap ? 'ConfigMap' : 'Secret', source.name ?? '')) return undefined
  return `${configMap ? 'configmap' : 'secret'} ${JSON.stringify(source.name ?? '')} not found`
}

function filesOf(volume: Volume, pod: Pod, environment: PodEnvironment): readonly VolumeFile[] {
  const { configMap, secret, downwardAPI, projected } = volume
  const defaultMode = (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode ?? standardMode
  return projectionsOf(volume).flatMap((projection) => projectedFiles(projection, pod, environment, defaultMode))
}

function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle }: Projection,
  pod: Pod,
  environment: PodEnvironment,
  defaultMode: number,
): readonly VolumeFile[] {
  if (configMap) return dataFiles(environment.readData?.('ConfigMap', configMap.name ?? '', true), configMap.items, defaultMode)
  if (secret) return dataFiles(environment.readData?.('Secret', secret.name ?? ''), secret.items, defaultMode)
  if (downwardAPI)
    return (downwardAPI.items ?? []).map(({ path, fieldRef, resourceFieldRef, mode = defaultMode }) => ({
      path,
      mode,
      text: fieldRef
        ? fieldValue(pod, fieldRef.fieldPath ?? '', environment)
        : resourceFieldRef
          ? resourceValue(pod, undefined, resourceFieldRef, environment)
          : '',
    }))
  if (clusterTrustBundle) {
    const bundles = environment.readTrustBundles?.(clusterTrustBundle)
    if (bundles === undefined) return []
    const text = normalizeTrustAnchors(bundles.map(({ spec }) => spec.trustBundle))
    return [{ path: clusterTrustBundle.path, text, ...ownership(pod.spec!, defaultMode) }]
  }
  if (!serviceAccountToken) return []
  const { path, audience, expirationSeconds = standardTokenSeconds } = serviceAccountToken
  const text = environment.readToken?.(audience || undefined, expirationSeconds)
  return text === undefined ? [] : [{ path, text, ...ownership(pod.spec!, defaultMode) }]
}

/** Of a file that only the user of the containers reads. */
function ownership(spec: PodSpec, defaultMode: number): Pick<VolumeFile, 'mode' | 'user'> {
  const user = commonUser(spec)
  const isPrivate = user !== undefined || spec.securityContext?.fsGroup !== undefined
  return { mode: isPrivate ? 0o600 : defaultMode, user }
}

type Items = NonNullable<NonNullable<Volume['configMap']>['items']>

function dataFiles(data: Readonly<Record<string, string>> = {}, items: Items | undefined, defaultMode: number): readonly VolumeFile[] {
  if (items === undefined || items.length === 0) return Object.entries(data).map(([path, text]) => ({ path, text, mode: defaultMode }))
  return items.filter(({ key }) => Object.hasOwn(data, key)).map(({ key, path, mode = defaultMode }) => ({ path, text: data[key]!, mode }))
}

/** The user that all containers run as; undefined where one does not say, or they differ. */
function commonUser({ securityContext, initContainers = [], containers }: PodSpec): number | undefined {
  const userOf = (container: Container) => container.securityContext?.runAsUser ?? securityContext?.runAsUser
  const users = new Set([...initContainers, ...containers].map(userOf))
  return users.size === 1 ? [...users][0] : undefined
}
