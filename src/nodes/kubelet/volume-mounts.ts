// Volumes from ConfigMaps and Secrets: a pod cannot start while one of these is missing.
import type { PodSpec, Volume } from '../../api/types.ts'
import type { PodEnvironment } from './sync-context.ts'

type Read = NonNullable<PodEnvironment['readData']>

interface Source {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: string
  readonly optional?: boolean
}

/** The kubelet's error for the first volume that cannot be mounted. Undefined: all can. */
export function mountError({ volumes }: PodSpec, readData: Read | undefined): string | undefined {
  if (readData === undefined) return undefined
  for (const volume of volumes ?? [])
    for (const { kind, name, optional } of sourcesOf(volume))
      if (!optional && readData(kind, name) === undefined)
        return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${kind.toLowerCase()} ${JSON.stringify(name)} not found`
  return undefined
}

function sourcesOf({ configMap, secret, projected }: Volume): readonly Source[] {
  if (configMap) return [{ kind: 'ConfigMap', name: configMap.name ?? '', ...pick(configMap) }]
  if (secret) return [{ kind: 'Secret', name: secret.secretName ?? '', ...pick(secret) }]
  return (projected?.sources ?? []).flatMap(({ configMap, secret }): Source[] => [
    ...(configMap ? [{ kind: 'ConfigMap' as const, name: configMap.name ?? '', ...pick(configMap) }] : []),
    ...(secret ? [{ kind: 'Secret' as const, name: secret.name ?? '', ...pick(secret) }] : []),
  ])
}

const pick = ({ optional }: { readonly optional?: boolean }) => (optional === undefined ? {} : { optional })
