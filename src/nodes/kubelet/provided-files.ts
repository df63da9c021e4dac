// The files of volumes that the kubelet fills: ConfigMaps, Secrets, the downward API and tokens of the service account. They are read when a
// container reads them, and therefore always show the current objects.
// Kubernetes: pkg/volume/configmap.MakePayload
// Kubernetes: pkg/volume/secret.MakePayload
// Kubernetes: pkg/volume/downwardapi.CollectData
// Kubernetes: pkg/volume/projected.projectedVolumeMounter.collectData
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

/** The kubelet's error for the first volume that cannot be mounted, because its ConfigMap or Secret is missing. Undefined: all can. */
export function mountError({ volumes }: PodSpec, { readData }: Pick<PodEnvironment, 'readData'>): string | undefined {
  if (readData === undefined) return undefined
  for (const volume of volumes ?? [])
    for (const { configMap, secret } of projectionsOf(volume)) {
      const source = configMap ?? secret
      if (source === undefined || source.optional || readData(configMap ? 'ConfigMap' : 'Secret', source.name ?? '')) continue
      const missing = `${configMap ? 'configmap' : 'secret'} ${JSON.stringify(source.name ?? '')} not found`
      return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${missing}`
    }
  return undefined
}

function filesOf(volume: Volume, pod: Pod, environment: PodEnvironment): readonly VolumeFile[] {
  const { configMap, secret, downwardAPI, projected } = volume
  const defaultMode = (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode ?? standardMode
  return projectionsOf(volume).flatMap((projection) => projectedFiles(projection, pod, environment, defaultMode))
}

function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken }: Projection,
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
  if (!serviceAccountToken) return []
  const { path, audience, expirationSeconds = standardTokenSeconds } = serviceAccountToken
  const text = environment.readToken?.(audience || undefined, expirationSeconds)
  if (text === undefined) return []
  const user = commonUser(pod.spec!)
  const isPrivate = user !== undefined || pod.spec?.securityContext?.fsGroup !== undefined
  return [{ path, text, mode: isPrivate ? 0o600 : defaultMode, user }]
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
