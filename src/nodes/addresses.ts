// IP addresses of nodes and pods. Nodes have addresses in 172.16.0.0/12. Every node has a block for its pods; the first blocks are
// in 10.244.0.0/16, as in most clusters.

const podBase = 10 * 2 ** 24 + 128 * 2 ** 16
const podBlocks = 2 ** 23
const firstBlock = 116 * 2 ** 16
const nodeBase = 172 * 2 ** 24 + 18 * 2 ** 16

const format = (address: number) => [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join('.')

export const nodeIpOf = (index: number) => format(nodeBase + 2 + index)

/** The number of host bits of a node's pod CIDR, large enough for `maxPods`. */
export function blockBitsFor(maxPods: number): number {
  let bits = 8
  while (2 ** bits - 3 < maxPods && bits < 16) bits++
  return bits
}

export function podCidrOf(index: number, bits: number): string {
  const start = podBase + ((firstBlock + index * 2 ** bits) % podBlocks)
  return `${format(start)}/${32 - bits}`
}

/** Allocates the addresses of one block in rotation, so that an address is reused as late as possible. */
export class PodAddresses {
  readonly #start: number
  readonly #size: number
  readonly #taken = new Set<number>()
  #next = 2

  constructor(cidr: string) {
    const [address = '', bits = '24'] = cidr.split('/')
    this.#start = toNumber(address)
    this.#size = 2 ** Math.min(16, 32 - Number(bits))
  }

  /** Undefined: all addresses of the block are in use. */
  take(): string | undefined {
    for (let tries = 2; tries < this.#size; tries++) {
      const offset = this.#next
      this.#next = offset + 1 >= this.#size - 1 ? 2 : offset + 1
      if (this.#taken.has(offset)) continue
      this.#taken.add(offset)
      return format(this.#start + offset)
    }
    return undefined
  }

  /** Marks an address as in use. */
  keep(address: string): void {
    const offset = toNumber(address) - this.#start
    if (offset > 0 && offset < this.#size) this.#taken.add(offset)
  }

  release(address: string): void {
    this.#taken.delete(toNumber(address) - this.#start)
  }
}

/** Accepts only addresses that `format` produced. */
function toNumber(address: string): number {
  let sum = 0
  let part = 0
  for (let at = 0; at < address.length; at++) {
    const digit = address.charCodeAt(at) - zero
    if (digit >= 0 && digit <= 9) part = part * 10 + digit
    else {
      sum = (sum + part) * 256
      part = 0
    }
  }
  return sum + part
}

const zero = '0'.charCodeAt(0)
