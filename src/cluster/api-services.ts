// The APIServices of what the API server itself serves, and what aggregated servers read to authenticate its requests.
import { apiServices, configMaps } from '../api/kinds.ts'
import type { KindSet } from '../api/machinery/kind-set.ts'
import { ignoring } from '../api/machinery/status-error.ts'
import type { ApiService } from '../api/types.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import { isEqualJson } from '../base/json.ts'
import type { Client } from '../client/client.ts'
import { automanagedLabel, builtInApiServices, customApiServices } from '../server/aggregation/local-api-services.ts'
import type { Credentials } from './credentials/credentials.ts'
import { type FrontProxy, frontProxyName } from './credentials/front-proxy.ts'

/** Creates missing objects, and leaves existing APIServices as they are. */
export async function applyApiServices(client: Client, kinds: KindSet, frontProxy: FrontProxy, { authority }: Credentials): Promise<void> {
  await Promise.all([
    syncApiServices(client, [...builtInApiServices(), ...customApiServices(kinds.custom).values()]),
    publishAuthentication(client, {
      'client-ca-file': authority.certificate,
      'requestheader-allowed-names': JSON.stringify([frontProxyName]),
      'requestheader-client-ca-file': frontProxy.authority().certificate,
      'requestheader-extra-headers-prefix': JSON.stringify(['X-Remote-Extra-']),
      'requestheader-group-headers': JSON.stringify(['X-Remote-Group']),
      'requestheader-uid-headers': JSON.stringify(['X-Remote-Uid']),
      'requestheader-username-headers': JSON.stringify(['X-Remote-User']),
    }),
  ])
}

async function publishAuthentication(client: Client, data: Readonly<Record<string, string>>): Promise<void> {
  const [namespace, name] = ['kube-system', 'extension-apiserver-authentication']
  const created = await ignoring('AlreadyExists', client.create(configMaps, namespace, { metadata: { name, namespace }, data }))
  if (created !== undefined) return
  const current = await client.get(configMaps, { namespace, name })
  if (!isEqualJson(current.data, data)) await client.update(configMaps, { ...current, data })
}

/** Creates the wanted ones, and deletes those of custom resources that are not wanted any more. */
async function syncApiServices(client: Client, wanted: readonly ApiService[]): Promise<void> {
  const { items } = await client.list(apiServices)
  const existing = new Set(items.map(({ metadata }) => metadata.name))
  const names = new Set(wanted.map(({ metadata }) => metadata?.name))
  const unwanted = items.filter(({ metadata }) => metadata.labels?.[automanagedLabel] === 'true' && !names.has(metadata.name))
  await Promise.all([
    ...wanted
      .filter(({ metadata }) => !existing.has(metadata?.name ?? ''))
      .map((one) => ignoring('AlreadyExists', client.create(apiServices, undefined, one))),
    ...unwanted.map(({ metadata }) => ignoring('NotFound', client.delete(apiServices, { name: metadata.name }))),
  ])
}

/** Many definitions are usually created together. */
const gatherMs = 100

interface FollowOptions {
  readonly client: Client
  readonly kinds: KindSet
  readonly clock: Clock
  onDeletion(listener: (object: ApiService) => void): () => void
  onFailure(what: string, error: unknown): void
}

/** Keeps an APIService for every version that CustomResourceDefinitions add, also when one is deleted. */
export function followCustomApiServices({ client, kinds, clock, onDeletion, onFailure }: FollowOptions): { stop(): void } {
  let cancel: CancelTimer | undefined
  let known = customApiServices(kinds.custom)
  let isDeleted = false
  let work = Promise.resolve()
  const sync = () => {
    cancel = undefined
    const next = customApiServices(kinds.custom)
    const isSame = next.size === known.size && [...next.keys()].every((name) => known.has(name))
    known = next
    if (isSame && !isDeleted) return
    isDeleted = false
    work = work
      .then(() => syncApiServices(client, [...next.values()]))
      .catch((error: unknown) => onFailure('Cannot register the APIServices of custom resources', error))
  }
  const syncSoon = () => {
    cancel ??= clock.after(gatherMs, sync)
  }
  const ends = [
    kinds.onChange(syncSoon),
    onDeletion(({ metadata }) => {
      if (!known.has(metadata?.name ?? '')) return
      isDeleted = true
      syncSoon()
    }),
  ]
  return {
    stop() {
      for (const end of ends) end()
      cancel?.()
    },
  }
}
