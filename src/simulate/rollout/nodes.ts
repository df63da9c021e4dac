// The nodes of a simulation, where nobody says which.
import type { KubernetesObject } from '../../api/types.ts'
import { milliValue, parseQuantity, wholeValue } from '../../base/quantity.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import type { PlannedObject } from './plan.ts'
import { templateOf } from './prepare.ts'

const fewestNodes = 3
const usual = { cpu: 4, memoryGi: 16, pods: 110 }
const gibi = 2 ** 30

/** As the fleet names them: by group, counted on. */
export function nodeNames(groups: readonly NodeGroup[]): string[] {
  const counts = new Map<string, number>()
  return groups.flatMap(({ name = 'node', count = 1 }) => {
    const from = counts.get(name) ?? 0
    counts.set(name, from + count)
    return Array.from({ length: count }, (_, index) => `${name}-${from + index + 1}`)
  })
}

interface Need {
  readonly pods: number
  readonly milliCpu: number
  readonly bytes: number
}

/** Room for twice the pods: nothing waits unless the nodes are said. */
export function usualNodes(objects: readonly PlannedObject[], largestScale: number): NodeGroup[] {
  const needs = objects.map(({ object }) => needOf(object))
  const [cpu, memoryGi] = largestPod(needs)
  const milliCpu = needs.reduce((sum, need) => sum + need.milliCpu * Math.max(need.pods, largestScale), 0)
  const bytes = needs.reduce((sum, need) => sum + need.bytes * Math.max(need.pods, largestScale), 0)
  const pods = needs.reduce((sum, need) => sum + Math.max(need.pods, largestScale), 0)
  // A node that is nearly full has no room for one more pod: a quarter goes to waste.
  const count = Math.max(
    fewestNodes,
    Math.ceil((2 * milliCpu) / (cpu * 1000 * 0.75)),
    Math.ceil((2 * bytes) / (memoryGi * gibi * 0.75)),
    Math.ceil((2 * pods) / usual.pods),
  )
  return [{ count, cpu: String(cpu), memory: `${memoryGi}Gi` }]
}

/** The usual size, or twice, four times, … of it where a pod needs more. */
function largestPod(needs: readonly Need[]): [number, number] {
  let [cpu, memoryGi] = [usual.cpu, usual.memoryGi]
  while (cpu < 1024 && needs.some((need) => need.milliCpu > cpu * 1000 || need.bytes > memoryGi * gibi)) {
    cpu *= 2
    memoryGi *= 2
  }
  return [cpu, memoryGi]
}

interface Requests {
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>>; readonly limits?: Readonly<Record<string, unknown>> }
}

function needOf(object: KubernetesObject): Need {
  const { spec } = object as {
    readonly spec?: { readonly replicas?: number; readonly parallelism?: number; readonly strategy?: { readonly type?: string } }
  }
  const containers = (templateOf(object)?.spec?.containers ?? []) as readonly Requests[]
  if (containers.length === 0) return { pods: 0, milliCpu: 0, bytes: 0 }
  const replicas = Number(spec?.replicas ?? spec?.parallelism ?? 1)
  const amount = (name: string, read: (quantity: NonNullable<ReturnType<typeof parseQuantity>>) => number) =>
    containers.reduce((sum, { resources }) => {
      const quantity = parseQuantity(String(resources?.requests?.[name] ?? resources?.limits?.[name] ?? '0'))
      return sum + (quantity === undefined ? 0 : read(quantity))
    }, 0)
  return { pods: Number.isFinite(replicas) ? replicas * 1.5 : 0, milliCpu: amount('cpu', milliValue), bytes: amount('memory', wholeValue) }
}
