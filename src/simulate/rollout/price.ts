// What nodes cost.

import { parseQuantity } from '../../base/quantity.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'

interface Price {
  readonly cpu: string
  readonly memory: string
  readonly perHour: number
}

/** `4cpu16Gi=0.19/h`. Undefined for anything else. */
export function parsePrice(text: string): Price | undefined {
  const match = /^([0-9]+m?)cpu([0-9]+(?:[KMGT]i?)?)=([0-9]+(?:\.[0-9]+)?)\/h$/i.exec(text.trim())
  return match === null ? undefined : { cpu: match[1]!, memory: match[2]!, perHour: Number(match[3]) }
}

/** `0.19/h`, of any node. */
export function parseNodePrice(text: string): number | undefined {
  const match = /^(?:[^=]*=)?([0-9]+(?:\.[0-9]+)?)\/h$/i.exec(text.trim())
  return match === null ? undefined : Number(match[1])
}

const isSame = (a: string | undefined, b: string) => a !== undefined && parseQuantity(a)?.nano === parseQuantity(b)?.nano

/** The average price of a node, by the number of nodes of each size. A string where a size has no price: the size. */
export function averagePrice(groups: readonly NodeGroup[], prices: readonly Price[]): number | string {
  let [sum, count] = [0, 0]
  for (const { cpu, memory, count: nodes = 1 } of groups) {
    const price = prices.find((one) => isSame(cpu, one.cpu) && isSame(memory, one.memory))
    if (price === undefined) return `${cpu}cpu${memory}`
    sum += price.perHour * nodes
    count += nodes
  }
  return count === 0 ? 0 : sum / count
}
