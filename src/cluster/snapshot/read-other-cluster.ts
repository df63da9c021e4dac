// Reads what any API server lets this user list, one kind after the other, as the objects of a snapshot. Read-only.
import { kinds as builtInKinds } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import { storageOf } from '../../server/rest/scope.ts'
import type { SavedObject } from './snapshot-file.ts'

/** The part of a transport that reading needs. */
export interface Reader {
  sendForJson<T>(request: { readonly method: 'GET'; readonly path: string }): Promise<T>
}

interface OtherCluster {
  readonly kubernetes: string
  readonly revision: number
  readonly objects: readonly SavedObject[]
  /** What is not in the snapshot, and why: `secrets: forbidden`. */
  readonly leftOut: readonly string[]
}

interface Listed {
  readonly group: string
  readonly version: string
  readonly plural: string
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly verbs: readonly string[] }[]
}

interface GroupList {
  readonly groups?: readonly {
    readonly name: string
    readonly versions: readonly { readonly version: string }[]
    readonly preferredVersion?: { readonly version: string }
  }[]
}

interface ObjectList {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly KubernetesObject[] | null
}

interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[]
  }
}

const pageSize = 500

/** By their names in discovery. Who holds a Lease, and who answers a webhook, is not there where the snapshot is restored. */
const excluded: Readonly<Record<string, string>> = {
  'leases.coordination.k8s.io': 'their holders do not run in a restored cluster',
  'validatingwebhookconfigurations.admissionregistration.k8s.io': 'no webhook runs in a restored cluster',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': 'no webhook runs in a restored cluster',
  'apiservices.apiregistration.k8s.io': 'no aggregated server runs in a restored cluster',
}

/** Resources that are served under two names, or are computed. */
const storedKinds = new Map(
  builtInKinds.filter(({ storedForm }) => storedForm === undefined).map((kind) => [`${kind.plural}.${kind.group}`, kind] as const),
)
const shownAs = new Set(builtInKinds.filter(({ storedForm }) => storedForm !== undefined).map(({ group, plural }) => `${plural}.${group}`))

export async function readOtherCluster(reader: Reader): Promise<OtherCluster> {
  const get = <T>(path: string) => reader.sendForJson<T>({ method: 'GET', path })
  const { gitVersion = 'unknown' } = await get<{ gitVersion?: string }>('/version')
  const leftOut: string[] = []
  const objects: Unnumbered[] = []
  let revision = 1
  for (const one of await resourcesOf(get, leftOut)) {
    const name = one.group === '' ? one.plural : `${one.plural}.${one.group}`
    const reason = excluded[name]
    if (reason !== undefined) {
      leftOut.push(`${name} (${reason})`)
      continue
    }
    try {
      const found = await listAll(get, one)
      revision = Math.max(revision, found.revision)
      for (const object of found.items) objects.push(named(object, storedKinds.get(`${one.plural}.${one.group}`), name))
    } catch (error) {
      if (!isStatusError(error)) throw error
      leftOut.push(`${name} (${isStatusError(error, 'Forbidden') ? 'you may not list them' : messageOf(error)})`)
    }
  }
  return { kubernetes: gitVersion, leftOut, ...numbered(objects, revision) }
}

async function resourcesOf(get: <T>(path: string) => Promise<T>, leftOut: string[]): Promise<Listed[]> {
  const { groups = [] } = await get<GroupList>('/apis')
  const found: Listed[] = []
  const definitions = new Map<string, string>()
  for (const { name, versions, preferredVersion } of [{ name: '', versions: [{ version: 'v1' }] }, ...groups] as NonNullable<
    GroupList['groups']
  >) {
    const served = await Promise.all(
      versions.map(async ({ version }) => {
        const path = name === '' ? `/api/${version}` : `/apis/${name}/${version}`
        // The group of an aggregated server that is down.
        const { resources = [] } = await get<ResourceList>(path).catch((error: unknown): ResourceList => {
          leftOut.push(`${name}/${version} (${messageOf(error)})`)
          return {}
        })
        return { version, resources: resources.filter(isStored).map((one) => one.name) }
      }),
    )
    for (const plural of new Set(served.flatMap(({ resources }) => resources))) {
      const own = served.filter(({ resources }) => resources.includes(plural)).map(({ version }) => version)
      const known = storedKinds.get(`${plural}.${name}`)
      const version = [known?.version, preferredVersion?.version].find((one) => one !== undefined && own.includes(one)) ?? own[0]!
      if (known !== undefined) found.push({ group: name, version, plural })
      else if (!shownAs.has(`${plural}.${name}`)) definitions.set(`${plural}.${name}`, version)
    }
  }
  if (definitions.size === 0) return found
  // Custom resources are stored in the version that their definition names; other unknown kinds are those of aggregated servers.
  const { items = [] } = await get<{ items?: readonly Definition[] }>('/apis/apiextensions.k8s.io/v1/customresourcedefinitions').catch(
    () => ({ items: [] }),
  )
  for (const { spec } of items ?? []) {
    const { group, names, versions } = spec
    const version = versions.find(({ storage }) => storage)?.name
    if (version !== undefined && definitions.delete(`${names.plural}.${group}`)) found.push({ group, version, plural: names.plural })
  }
  for (const name of definitions.keys()) leftOut.push(`${name} (not stored by this API server)`)
  return found
}

const isStored = ({ name, verbs }: { readonly name: string; readonly verbs: readonly string[] }) =>
  !name.includes('/') && verbs.includes('list') && verbs.includes('watch')

async function listAll(get: <T>(path: string) => Promise<T>, { group, version, plural }: Listed) {
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}`
  const items: KubernetesObject[] = []
  let revision = 1
  for (let next = ''; ; ) {
    const page = await get<ObjectList>(`${path}?limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`)
    items.push(...(page.items ?? []))
    revision = Math.max(revision, Number(page.metadata?.resourceVersion) || 1)
    next = page.metadata?.continue ?? ''
    if (next === '') return { items, revision }
  }
}

interface Unnumbered {
  readonly key: string
  readonly object: KubernetesObject & { readonly metadata: ObjectMeta }
}

function named({ kind: _, apiVersion: __, ...object }: KubernetesObject, kind: Kind | undefined, storage: string): Unnumbered {
  const metadata = object.metadata ?? {}
  const path = metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name
  return { key: `${kind === undefined ? storage : storageOf(kind)}/${path}`, object: { ...object, metadata } }
}

/**
 * A write has its own revision, except where a server keeps some kinds (often Events) in another etcd: the second of two objects with one
 * revision gets a later one.
 */
function numbered(objects: readonly Unnumbered[], listed: number): { readonly revision: number; readonly objects: readonly SavedObject[] } {
  const used = new Set<number>()
  let revision = objects.reduce((most, { object }) => Math.max(most, Number(object.metadata.resourceVersion) || 1), listed)
  const saved = objects.map(({ key, object }) => {
    const own = Number(object.metadata.resourceVersion)
    const isOwn = Number.isSafeInteger(own) && own > 1 && !used.has(own)
    const assigned = isOwn ? own : ++revision
    used.add(assigned)
    return { key, createRevision: assigned, object: { ...object, metadata: { ...object.metadata, resourceVersion: String(assigned) } } }
  })
  return { revision, objects: saved }
}
