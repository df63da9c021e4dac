// What the life of one pod depends on besides the pod, on the node that it lives on.
import type { Pod, Service, Stored } from '../api/types.ts'
import type { FleetNode } from './fleet-nodes.ts'
import type { ImageRules } from './kubelet/images.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { Timing } from './kubelet/settings.ts'
import type { Surroundings } from './kubelet/turn.ts'

/** What all nodes of a fleet have in common. */
export interface Region extends Pick<Surroundings, 'salt' | 'timing' | 'images'> {
  readData(namespace: string): NonNullable<Surroundings['readData']>
  /** The one of the API server, and those of the namespace. */
  readServices(namespace: string | undefined): Iterable<Service>
  readAllocatable(node: FleetNode): Readonly<Record<string, string>>
}

/** Made anew for every look at a pod: with functions of its own it would be the most of what a look costs. */
export class Place implements Surroundings {
  readonly salt: number
  readonly timing: Timing
  readonly images: ImageRules
  readonly hostIp: string
  readonly podIp: string
  readonly hostFiles: Surroundings['hostFiles']
  readonly readData: NonNullable<Surroundings['readData']>
  declare readonly faults?: readonly PodFault[]
  readonly #region: Region
  readonly #node: FleetNode
  readonly #namespace: string

  constructor(region: Region, { metadata: { namespace = '' } }: Stored<Pod>, node: FleetNode, podIp: string, faults?: readonly PodFault[]) {
    this.salt = region.salt
    this.timing = region.timing
    this.images = region.images
    this.hostIp = node.ip
    this.podIp = podIp
    this.hostFiles = node.hostFiles
    this.readData = region.readData(namespace)
    if (faults !== undefined) this.faults = faults
    this.#region = region
    this.#node = node
    this.#namespace = namespace
  }

  isImagePresent(image: string): boolean {
    return this.#node.images.has(image)
  }

  readServices(withOwn: boolean): Iterable<Service> {
    return this.#region.readServices(withOwn ? this.#namespace : undefined)
  }

  readAllocatable(): Readonly<Record<string, string>> {
    return this.#region.readAllocatable(this.#node)
  }
}
