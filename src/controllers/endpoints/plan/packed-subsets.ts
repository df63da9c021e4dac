// The canonical form of the subsets of Endpoints: ports with the same addresses form one subset, whichever subsets had them.
// Kubernetes: pkg/api/v1/endpoints.RepackSubsets
import type { Endpoints } from '../../../api/types.ts'
import { getOrAdd } from '../../../base/maps.ts'

type Subset = NonNullable<Endpoints['subsets']>[number]
type Address = NonNullable<Subset['addresses']>[number]
type Port = NonNullable<Subset['ports']>[number]

interface PackedSubset {
  /** In the order of their addresses. */
  readonly entries: readonly { readonly address: Address; readonly ready: boolean }[]
  readonly ports: readonly Port[]
}

/**
 * For example, pods a and b that both have port 90, and of which only a has port 80, give two subsets: a with 80, and a and b
 * with 90. An address that one subset has as ready and another as not ready, with the same port, is not ready.
 */
export function packSubsets(subsets: readonly Subset[]): PackedSubset[] {
  const addresses = new Map<string, Address>()
  const byPort = new Map<string, { readonly port: Port | undefined; readonly ready: Map<string, boolean> }>()
  for (const { addresses: ready, notReadyAddresses: notReady, ports } of subsets)
    for (const port of ports === undefined || ports.length === 0 ? [undefined] : ports) {
      const group = getOrAdd(byPort, portKey(port), () => ({ port, ready: new Map<string, boolean>() }))
      const add = (address: Address, isReady: boolean) => {
        const key = `${address.ip} ${address.targetRef?.uid ?? ''}`
        if (!addresses.has(key)) addresses.set(key, address)
        group.ready.set(key, isReady && group.ready.get(key) !== false)
      }
      for (const address of ready ?? []) add(address, true)
      for (const address of notReady ?? []) add(address, false)
    }
  const packed = new Map<string, { readonly entries: PackedSubset['entries']; readonly ports: Port[] }>()
  for (const [, { port, ready }] of [...byPort].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = [...ready].sort(([a], [b]) => (a < b ? -1 : 1))
    const subset = getOrAdd(packed, JSON.stringify(sorted), () => ({
      entries: sorted.map(([key, isReady]) => ({ address: addresses.get(key)!, ready: isReady })),
      ports: [],
    }))
    if (port !== undefined) subset.ports.push(port)
  }
  return [...packed.values()].filter(({ entries }) => entries.length > 0)
}

const portKey = (port: Port | undefined) =>
  port === undefined ? '' : JSON.stringify([port.name ?? '', port.protocol ?? '', port.port, port.appProtocol ?? ''])
