// The hash of a state: two words that have nothing in common.
// Ours: the mixing steps are those of MurmurHash3.

export class StateHash {
  low = 0
  high = 0

  of(words: Int32Array): this {
    let one = 0x2f0b4c47
    let other = 0x61c88647
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!
      let mixed = Math.imul(word, 0xcc9e2d51)
      mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
      one ^= mixed
      one = (Math.imul((one << 13) | (one >>> 19), 5) + 0xe6546b64) | 0
      mixed = Math.imul(word, 0x239b961b)
      mixed = Math.imul((mixed << 16) | (mixed >>> 16), 0xab0e9789)
      other ^= mixed
      other = (Math.imul((other << 17) | (other >>> 15), 5) + 0x561ccd1b + one) | 0
    }
    one = (one + other) | 0
    this.low = finished(one) >>> 0
    this.high = finished((other + Math.imul(one, 0x9e3779b9)) | 0) >>> 0
    return this
  }
}

function finished(word: number): number {
  let mixed = word ^ (word >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
