// The replicas that a controller requests: from the caches for well-known kinds, otherwise from the scale subresource.
import { deployments, kinds, replicaSets, replicationControllers, statefulSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { groupResource, ignoring } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import type { Informer } from '../../runtime/informer.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'

/** The uid is that of the top controller: of the Deployment, if a ReplicaSet has one. */
interface ControllerScale {
  readonly uid: string
  readonly replicas: number
}

type Scalable = KubernetesObject & { readonly spec?: { readonly replicas?: number } }

export class ScaleReader {
  readonly #client: Client
  readonly #replicationControllers: Informer<Scalable>
  readonly #replicaSets: Informer<Scalable>
  readonly #deployments: Informer<Scalable>
  readonly #statefulSets: Informer<Scalable>

  constructor(client: Client, informers: SharedInformers) {
    const get = (kind: unknown) => informers.get(kind as Kind<Scalable>)
    this.#client = client
    this.#replicationControllers = get(replicationControllers)
    this.#replicaSets = get(replicaSets)
    this.#deployments = get(deployments)
    this.#statefulSets = get(statefulSets)
  }

  get synced(): Promise<unknown> {
    return Promise.all([this.#replicationControllers, this.#replicaSets, this.#deployments, this.#statefulSets].map(({ synced }) => synced))
  }

  /** Undefined if the controller does not exist. Throws if its kind is unknown or has no scale. */
  async read(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    return this.#readWellKnown(reference, namespace) ?? (await this.#readAny(reference, namespace))
  }

  #readWellKnown(reference: OwnerReference, namespace: string): ControllerScale | undefined {
    const { group } = splitApiVersion(reference.apiVersion)
    const isApps = group === 'apps' || group === 'extensions'
    if (reference.kind === 'ReplicationController' && group === '') return scaleOf(find(this.#replicationControllers, reference, namespace))
    if (reference.kind === 'StatefulSet' && group === 'apps') return scaleOf(find(this.#statefulSets, reference, namespace))
    if (reference.kind !== 'ReplicaSet' || !isApps) return undefined
    const replicaSet = find(this.#replicaSets, reference, namespace)
    const owner = replicaSet && controllerOf(replicaSet)
    if (owner?.kind !== 'Deployment') return scaleOf(replicaSet)
    const ownerGroup = splitApiVersion(owner.apiVersion).group
    if (ownerGroup !== 'apps' && ownerGroup !== 'extensions') return undefined
    return scaleOf(find(this.#deployments, owner, namespace))
  }

  async #readAny({ apiVersion, kind: name, name: object, uid }: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const { group, version } = splitApiVersion(apiVersion)
    const kind = kinds.find((one) => one.kind === name && one.group === group && one.version === version)
    if (kind === undefined) throw new Error(`no matches for kind "${name}" in version "${apiVersion}"`)
    const scale = kind.subresources?.scale
    if (scale === undefined) throw new Error(`${groupResource(kind)} does not implement the scale subresource`)
    const found = await ignoring('NotFound', this.#client.get(kind, { namespace, name: object }))
    return found?.metadata.uid === uid ? { uid, replicas: scale.replicas(found) } : undefined
  }
}

/** Undefined if the object with that name has another uid. */
function find(informer: Informer<Scalable>, { name, uid }: OwnerReference, namespace: string): Stored<Scalable> | undefined {
  const object = informer.get(`${namespace}/${name}`)
  return object?.metadata.uid === uid ? object : undefined
}

const scaleOf = (object: Stored<Scalable> | undefined): ControllerScale | undefined =>
  object && { uid: object.metadata.uid, replicas: object.spec?.replicas ?? 1 }

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`)
  return parts.length === 1 ? { group: '', version: parts[0]! } : { group: parts[0]!, version: parts[1]! }
}
