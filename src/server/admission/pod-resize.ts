// Refuses to resize a pod beyond what its node has, whatever other pods use there.
// Kubernetes: plugin/pkg/admission/podresize.Plugin.Validate, validateNodeAllocatable, validateLinuxNode
// Kubernetes: plugin/pkg/admission/podresize.validateRequestsWithinAllocatable
import { addAll, isPodLevelResource, totals } from '../../api/kinds/core/pod/resources.ts'
import { nodes, pods } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { parseQuantity, type Quantity } from '../../base/quantity.ts'
import { type AdmissionPlugin, among } from './plugin.ts'

/** The resources that can be resized, and the nanos in the unit in which messages show them. */
const units = [
  ['cpu', 1_000_000n],
  ['memory', 1_000_000_000n],
] as const

export const podResize: AdmissionPlugin = {
  concerns: among(pods),
  check({ subresource, current, next, cluster }) {
    if (subresource !== 'resize') return undefined
    // The generation counts changes of the spec.
    if (current?.metadata?.generation === next.metadata?.generation) return undefined
    const { spec } = next as Pod
    if (!spec?.nodeName) return undefined
    const node = cluster.get(nodes, '', spec.nodeName)
    if (node === undefined) return `node ${JSON.stringify(spec.nodeName)} not found`
    const requested = requestsOf(spec)
    const lacking = units.flatMap(([name, unit]) => {
      const wanted = inUnit(requested.get(name), unit)
      const available = inUnit(parseQuantity(node.status?.allocatable?.[name] ?? '0'), unit)
      return wanted > available ? [`${name}, requested: ${wanted}, allocatable: ${available}`] : []
    })
    if (lacking.length === 0) return undefined
    return { message: `node didn't have enough allocatable resources: ${lacking.join('; ')}`, causes: [{ reason: 'NodeCapacity' }] }
  },
}

const inUnit = (quantity: Quantity | undefined, unit: bigint) => ((quantity?.nano ?? 0n) + unit - 1n) / unit

function requestsOf(spec: NonNullable<Pod['spec']>): ReadonlyMap<string, Quantity> {
  const sums = totals(spec, 'requests')
  for (const [name, amount] of amountsOf(spec.resources?.requests)) if (isPodLevelResource(name)) sums.set(name, amount)
  addAll(sums, amountsOf(spec.overhead))
  return sums
}

const amountsOf = (list: Readonly<Record<string, string>> = {}): ReadonlyMap<string, Quantity> =>
  new Map(
    Object.entries(list).flatMap(([name, text]) => {
      const amount = parseQuantity(text)
      return amount === undefined ? [] : [[name, amount] as const]
    }),
  )
