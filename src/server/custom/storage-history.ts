// The version of each stored custom resource: the storage version of its definition at the time of its last write. An annotation of the
// definition has the former storage versions. It is written when the storage version changes for the first time.
// Ours: etcd holds objects in the version in which they were written.
import type { CustomResourceDefinition } from '../../api/machinery/structural/definition.ts'

export const storageHistoryAnnotation = 'rollcall.dev/storage-versions'

export interface StoragePeriod {
  readonly version: string
  /** The first revision. */
  readonly since: number
}

const storageVersionOf = ({ spec }: CustomResourceDefinition): string => spec.versions.find(({ storage }) => storage)?.name ?? ''

/** In the order of time. `revision` is that of the definition. */
export function storageHistory(
  definition: CustomResourceDefinition,
  revision: number,
  known: readonly StoragePeriod[] | undefined,
): readonly StoragePeriod[] {
  const version = storageVersionOf(definition)
  const noted = definition.metadata?.annotations?.[storageHistoryAnnotation]
  const before = parseHistory(noted) ?? known ?? firstPeriod(definition, version)
  return before.at(-1)!.version === version ? before : [...before, { version, since: revision }]
}

/** After a restart, a definition whose history was not written yet has the storage version of before in its status alone. */
function firstPeriod({ status }: CustomResourceDefinition, version: string): readonly StoragePeriod[] {
  const others = status?.storedVersions?.filter((one) => one !== version) ?? []
  return [{ version: others.length === 1 ? others[0]! : version, since: 0 }]
}

export const formatHistory = (history: readonly StoragePeriod[]): string =>
  history.map(({ version, since }) => `${version}=${since}`).join(',')

function parseHistory(text: string | undefined): readonly StoragePeriod[] | undefined {
  if (text === undefined || !/^[a-z0-9]+=\d+(?:,[a-z0-9]+=\d+)*$/.test(text)) return undefined
  return text.split(',').map((one) => ({ version: one.split('=')[0]!, since: Number(one.split('=')[1]) }))
}

/** The version that a record of the revision is stored in. */
export const versionAt = (history: readonly StoragePeriod[], revision: number): string =>
  (history.findLast(({ since }) => since < revision) ?? history[0]!).version
