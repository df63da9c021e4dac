// The environment of a pod on a node: everything besides the pod that its sync depends on.
import { configMaps, secrets, services } from '../api/kinds.ts'
import type { Pod, Service, Stored } from '../api/types.ts'
import { textOfBytes } from '../base/byte-text.ts'
import { getOrAdd } from '../base/maps.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import type { FleetNode } from './fleet-nodes.ts'
import type { ImageRules } from './kubelet/image-name.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { Timing } from './kubelet/pod-settings.ts'
import type { PodEnvironment } from './kubelet/sync-context.ts'
import type { PodTokens } from './pod-tokens.ts'

/** The part that all nodes of a fleet share. */
export interface FleetEnvironment extends Pick<PodEnvironment, 'salt' | 'timing' | 'images'> {
  readData(namespace: string): NonNullable<PodEnvironment['readData']>
  /** The service of the API server, and those of the namespace. */
  readServices(namespace: string | undefined): Iterable<Service>
  /** Absent: the API has no ClusterTrustBundles. */
  readonly readTrustBundles?: PodEnvironment['readTrustBundles']
  readAllocatable(node: FleetNode): Readonly<Record<string, string>>
  /** Absent: pods have no tokens. */
  readonly tokens?: PodTokens | undefined
}

/** Created for every sync. A class, because an object literal with its own functions would cost more than the rest of a sync. */
export class NodeEnvironment implements PodEnvironment {
  readonly salt: number
  readonly timing: Timing
  readonly images: ImageRules
  readonly hostIp: string
  readonly podIp: string
  readonly hostFiles: PodEnvironment['hostFiles']
  readonly readData: NonNullable<PodEnvironment['readData']>
  declare readonly readTrustBundles?: NonNullable<PodEnvironment['readTrustBundles']>
  declare readonly faults?: readonly PodFault[]
  readonly #fleet: FleetEnvironment
  readonly #node: FleetNode
  readonly #pod: Stored<Pod>

  constructor(fleetEnvironment: FleetEnvironment, pod: Stored<Pod>, node: FleetNode, podIp: string, faults?: readonly PodFault[]) {
    this.salt = fleetEnvironment.salt
    this.timing = fleetEnvironment.timing
    this.images = fleetEnvironment.images
    this.hostIp = node.ip
    this.podIp = podIp
    this.hostFiles = node.hostFiles
    this.readData = fleetEnvironment.readData(pod.metadata.namespace ?? '')
    if (fleetEnvironment.readTrustBundles !== undefined) this.readTrustBundles = fleetEnvironment.readTrustBundles
    if (faults !== undefined) this.faults = faults
    this.#fleet = fleetEnvironment
    this.#node = node
    this.#pod = pod
  }

  isImagePresent(image: string): boolean {
    return this.#node.images.has(image)
  }

  readServices(withOwn: boolean): Iterable<Service> {
    return this.#fleet.readServices(withOwn ? (this.#pod.metadata.namespace ?? '') : undefined)
  }

  readAllocatable(): Readonly<Record<string, string>> {
    return this.#fleet.readAllocatable(this.#node)
  }

  readToken(audience: string | undefined, expirationSeconds: number): string | undefined {
    return this.#fleet.tokens?.read(this.#pod, audience, expirationSeconds)
  }
}

// Reads the ConfigMaps, Secrets and Services that containers refer to.
export function createObjectReaders(informers: SharedInformers): Pick<FleetEnvironment, 'readData' | 'readServices'> {
  const configMapInformer = informers.get(configMaps)
  const secretInformer = informers.get(secrets)
  const serviceInformer = informers.get(services)
  return {
    readData: (namespace) => (kind, name, withBinary) => {
      if (kind === 'Secret') {
        const secret = secretInformer.get(`${namespace}/${name}`)
        return secret && decodedOnce(secret, secret.data)
      }
      const found = configMapInformer.get(`${namespace}/${name}`)
      if (found === undefined) return undefined
      return withBinary && found.binaryData ? { ...found.data, ...decodedOnce(found, found.binaryData) } : (found.data ?? {})
    },
    *readServices(namespace) {
      const master = serviceInformer.get('default/kubernetes')
      if (master !== undefined) yield master
      if (namespace !== undefined) yield* serviceInformer.byIndex('namespace', namespace)
    },
  }
}

// A pod may refer to one Secret in a thousand variables: decode it once.
const decoded = new WeakMap<object, Readonly<Record<string, string>>>()

const decodedOnce = (object: object, encoded: Readonly<Record<string, string>> = {}) =>
  getOrAdd(decoded, object, () =>
    Object.fromEntries(Object.entries(encoded).map(([key, value]) => [key, textOfBytes(Buffer.from(value, 'base64'))])),
  )
