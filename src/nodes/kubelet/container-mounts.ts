// The volumes that a container mounts.
// Kubernetes: pkg/kubelet.makeMounts
// Kubernetes: pkg/kubelet/container.ExpandContainerVolumeMounts
import type { Container, Pod, Volume } from '../../api/types.ts'
import { trimLastSlashes } from '../../base/trim-slashes.ts'
import { type Mount, providedPrefix } from '../shell/files.ts'
import { expandReferences } from './environment-variables.ts'
import { isProvided } from './provided-files.ts'

/** The mounts of the container, or the message of Kubernetes about an invalid subPath. */
export function mountsOf({ spec }: Pod, { volumeMounts = [] }: Container, variables: ReadonlyMap<string, string>): Mount[] | string {
  const mounts: Mount[] = []
  for (const { name, mountPath, subPath = '', subPathExpr } of volumeMounts) {
    const path = subPathExpr ? expandReferences(subPathExpr, variables) : subPath
    if (subPathExpr) {
      const missing = [...subPathExpr.matchAll(/\$\(([^()]*)\)/g)].map((match) => match[1]!).filter((one) => !variables.get(one))
      if (missing.length > 0) return `missing value for ${[...new Set(missing)].sort().join(', ')}`
    }
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`
    if (path.split('/').includes('..')) return `unable to provision SubPath \`${path}\`: must not contain '..'`
    const volume = spec?.volumes?.find((one) => one.name === name)
    const below = path === '' ? '' : `/${path}`
    mounts.push({
      path: trimLastSlashes(mountPath) || '/',
      prefix: `${prefixOf(name, volume)}${below}`,
      ...rootOf(volume, spec?.securityContext?.fsGroup),
    })
  }
  return mounts
}

function prefixOf(name: string, volume: Volume | undefined): string {
  if (volume?.hostPath) return `host:${volume.hostPath.path}`
  return volume !== undefined && isProvided(volume) ? providedPrefix(name) : `volume:${name}:`
}

const setGroup = 0o2000
const sticky = 0o1000

/** The root directory of a volume. Kubernetes sets the group of all but hostPath volumes. */
function rootOf(volume: Volume | undefined, fsGroup: number | undefined): Pick<Mount, 'mode' | 'group' | 'isInMemory'> {
  if (volume === undefined || volume.hostPath) return {}
  const isInMemory = volume.emptyDir?.medium === 'Memory' || (isProvided(volume) && !volume.configMap)
  const isOpen = volume.emptyDir !== undefined || isProvided(volume)
  const mode = (isOpen ? 0o777 : fsGroup === undefined ? 0o755 : 0o775) | (isInMemory ? sticky : 0)
  return { mode: fsGroup === undefined ? mode : mode | setGroup, group: fsGroup, ...(isInMemory && { isInMemory }) }
}
