// Host ports. A port on all addresses conflicts with the same port on any address.
// Kubernetes: k8s.io/kube-scheduler/framework.HostPortInfo.*

import type { Pod } from '../../api/types.ts'
import { addCount, getOrAdd } from '../../base/maps.ts'
import { isSidecar } from '../pod-predicates.ts'

export interface HostPort {
  readonly address: string
  /** `TCP:80`. */
  readonly port: string
}

const everyAddress = '0.0.0.0'

/** Only of containers and sidecars, which run as long as the pod does. */
export function readHostPorts({ spec }: Pod): readonly HostPort[] {
  const found: HostPort[] = []
  for (const { ports } of [...(spec?.initContainers ?? []).filter(isSidecar), ...(spec?.containers ?? [])])
    for (const { hostPort, hostIP, protocol } of ports ?? [])
      if (hostPort) found.push({ address: hostIP || everyAddress, port: `${protocol || 'TCP'}:${hostPort}` })
  return found
}

export class PortsInUse {
  /** Port, then address, then the number of pods that use it. It may exceed one if pods were bound without this scheduler. */
  readonly #taken = new Map<string, Map<string, number>>()

  count({ address, port }: HostPort, change: 1 | -1): void {
    const addresses = getOrAdd(this.#taken, port, () => new Map<string, number>())
    addCount(addresses, address, change)
    if (addresses.size === 0) this.#taken.delete(port)
  }

  isTaken({ address, port }: HostPort): boolean {
    const addresses = this.#taken.get(port)
    if (addresses === undefined) return false
    return address === everyAddress || addresses.has(address) || addresses.has(everyAddress)
  }
}
