// The states that were visited, each once. States are stored whole and compared whole, so that no two are taken for one; a hash of 64 bits
// finds the place. 10 million states of 17 words take 1 GB.

const statesPerChunk = 1 << 16
const firstSlots = 1 << 16
/** The table is doubled when it is filled to this share. */
const maxLoad = 0.6

export class StateTable {
  readonly #width: number
  readonly #chunks: Int32Array[] = []
  /** The number of the state plus one, and the other half of its hash. */
  #slots = new Uint32Array(2 * firstSlots)
  #slotCount = firstSlots
  #size = 0
  /** The state that each was reached from first. */
  #parents = new Uint32Array(statesPerChunk)
  /** The second half of the last hash; the first is the result of `#hash`. */
  #tag = 0

  constructor(width: number) {
    this.#width = width
  }

  get size(): number {
    return this.#size
  }

  /** The number of the state, or -1. */
  find(words: Int32Array): number {
    return this.#slots[2 * this.#placeOf(words)]! - 1
  }

  /** The number of the state: `size` before the call if it is new. */
  add(words: Int32Array, parent: number): number {
    const place = this.#placeOf(words)
    const known = this.#slots[2 * place]!
    if (known !== 0) return known - 1
    const state = this.#size++
    this.#slots[2 * place] = state + 1
    this.#slots[2 * place + 1] = this.#tag
    const row = state % statesPerChunk
    if (row === 0) this.#chunks.push(new Int32Array(this.#width * statesPerChunk))
    this.#chunks[this.#chunks.length - 1]!.set(words, row * this.#width)
    if (state >= this.#parents.length) this.#parents = grown(this.#parents)
    this.#parents[state] = parent
    if (this.#size > maxLoad * this.#slotCount) this.#rehash()
    return state
  }

  /** A view of the state. */
  wordsOf(state: number): Int32Array {
    const at = (state % statesPerChunk) * this.#width
    return this.#chunks[Math.floor(state / statesPerChunk)]!.subarray(at, at + this.#width)
  }

  parentOf(state: number): number {
    return this.#parents[state]!
  }

  #placeOf(words: Int32Array): number {
    const mask = this.#slotCount - 1
    let place = this.#hash(words) & mask
    for (;;) {
      const known = this.#slots[2 * place]!
      if (known === 0 || (this.#slots[2 * place + 1] === this.#tag && this.#isEqual(known - 1, words))) return place
      place = (place + 1) & mask
    }
  }

  #isEqual(state: number, words: Int32Array): boolean {
    const chunk = this.#chunks[Math.floor(state / statesPerChunk)]!
    const at = (state % statesPerChunk) * this.#width
    for (let index = 0; index < this.#width; index++) if (chunk[at + index] !== words[index]) return false
    return true
  }

  #hash(words: Int32Array): number {
    let one = 0x9e3779b9 | 0
    let other = 0x85ebca6b | 0
    for (let index = 0; index < this.#width; index++) {
      const word = words[index]!
      one = Math.imul(one ^ word, 0xcc9e2d51)
      one ^= one >>> 15
      other = Math.imul(other + word, 0x1b873593) ^ (other >>> 13)
    }
    one = Math.imul(one ^ (one >>> 16), 0x85ebca6b)
    other = Math.imul(other ^ (other >>> 16), 0xc2b2ae35)
    this.#tag = (other ^ (other >>> 15)) >>> 0
    return (one ^ (one >>> 13)) >>> 0
  }

  #rehash(): void {
    this.#slotCount *= 2
    this.#slots = new Uint32Array(2 * this.#slotCount)
    const mask = this.#slotCount - 1
    for (let state = 0; state < this.#size; state++) {
      let place = this.#hash(this.wordsOf(state)) & mask
      while (this.#slots[2 * place] !== 0) place = (place + 1) & mask
      this.#slots[2 * place] = state + 1
      this.#slots[2 * place + 1] = this.#tag
    }
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(2 * array.length)
  next.set(array)
  return next
}
