// Warnings about files of one volume with overlapping paths.
// Kubernetes: pkg/api/pod.warningsForOverlappingVirtualPaths
import { trimLastSlashes } from '../../../../base/trim-slashes.ts'
import type { Volume } from '../../../types.ts'

interface PathAndSource {
  readonly path: string
  readonly source: string
}

type Items = readonly { readonly path: string }[]
type Source = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

export function virtualPathWarnings(volumes: readonly Volume[]): string[] {
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
