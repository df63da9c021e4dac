// The replicas that a controller requests: from the caches for well-known kinds, otherwise from the scale subresource.
// Kubernetes: pkg/controller/disruption.DisruptionController.getScaleController, DisruptionController.implementsScale
import { kinds as builtInKinds, deployments, replicaSets, replicationControllers, statefulSets } from '../../api/kinds.ts'
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

/** The kinds that are read from the caches, with the groups that have them. */
const wellKnown: Readonly<Record<string, { readonly kind: unknown; readonly groups: readonly string[] }>> = {
  ReplicationController: { kind: replicationControllers, groups: [''] },
  StatefulSet: { kind: statefulSets, groups: ['apps'] },
  ReplicaSet: { kind: replicaSets, groups: ['apps', 'extensions'] },
  Deployment: { kind: deployments, groups: ['apps', 'extensions'] },
}

export class ScaleReader {
  readonly #client: Client
  readonly #kinds: () => readonly Kind[]
  readonly #caches: ReadonlyMap<string, Informer<Scalable>>

  /** `kinds` are those that the server has. Default: the built-in ones. */
  constructor(client: Client, informers: SharedInformers, kinds: () => readonly Kind[] = () => builtInKinds) {
    this.#client = client
    this.#kinds = kinds
    this.#caches = new Map(Object.entries(wellKnown).map(([name, { kind }]) => [name, informers.get(kind as Kind<Scalable>)]))
  }

  get synced(): Promise<unknown> {
    return Promise.all([...this.#caches.values()].map(({ synced }) => synced))
  }

  /** Undefined if the controller does not exist. Throws if its kind is unknown or has no scale. */
  async read(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    return this.#readWellKnown(reference, namespace) ?? (await this.#readAny(reference, namespace))
  }

  #readWellKnown(reference: OwnerReference, namespace: string): ControllerScale | undefined {
    // Pods name ReplicaSets, not Deployments.
    const found = reference.kind === 'Deployment' ? undefined : this.#find(reference, namespace)
    const owner = found && reference.kind === 'ReplicaSet' ? controllerOf(found) : undefined
    const top = owner?.kind === 'Deployment' ? this.#find(owner, namespace) : found
    return top && { uid: top.metadata.uid, replicas: top.spec?.replicas ?? 1 }
  }

  /** Undefined if the object with that name has another uid. */
  #find({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Stored<Scalable> | undefined {
    if (!wellKnown[kind]?.groups.includes(splitApiVersion(apiVersion).group)) return undefined
    const object = this.#caches.get(kind)?.get(`${namespace}/${name}`)
    return object?.metadata.uid === uid ? object : undefined
  }

  async #readAny({ apiVersion, kind: name, name: object, uid }: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const { group, version } = splitApiVersion(apiVersion)
    const kind = this.#kinds().find((one) => one.kind === name && one.group === group && one.version === version)
    if (kind === undefined) throw new Error(`no matches for kind "${name}" in version "${apiVersion}"`)
    const scale = kind.scale
    if (scale === undefined) throw new Error(`${groupResource(kind)} does not implement the scale subresource`)
    const found = await ignoring('NotFound', this.#client.get(kind, { namespace, name: object }))
    return found?.metadata.uid === uid ? { uid, replicas: scale.replicas(found) } : undefined
  }
}

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`)
  return parts.length === 1 ? { group: '', version: parts[0]! } : { group: parts[0]!, version: parts[1]! }
}
