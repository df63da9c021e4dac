// The Huffman code of HPACK (RFC 7541, appendix B), for reading. Requests are written without it.

/** The number of bits of the code of each octet, in base 36. Codes of one length are consecutive, in the order of the octets. */
const bitCounts = [
  'dnsssssssoussussssssssusssssssss',
  '6aacd68baa8b8666555666666678f6ca',
  'd67777777777777777777777878djde6',
  'f56565666577666567655677777fbeds',
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnno',
  'mlkmmnnlnmmolmnnllmlnmnnkmmmnmmn',
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrr',
  'koklmllnmmppooqnqrqqrrrrrsrrrrrq',
].join('')

const maxBits = 30
/** Codes of up to eight bits, which all common characters have, are found at once. */
const quickBits = 8

/** By the number of bits: the first code, how many codes there are, and where their octets begin in `octets`. */
const firstCode = new Array<number>(maxBits + 1).fill(0)
const codeCount = new Array<number>(maxBits + 1).fill(0)
const octetsFrom = new Array<number>(maxBits + 1).fill(0)
const octets: number[] = []
/** By the next eight bits: 256 times the number of bits of the code, plus the octet; 0 for a longer code. */
const quick = new Uint16Array(1 << quickBits)

let code = 0
for (let bits = 1; bits <= maxBits; bits++) {
  code *= 2
  firstCode[bits] = code
  octetsFrom[bits] = octets.length
  for (let octet = 0; octet < bitCounts.length; octet++) {
    if (Number.parseInt(bitCounts[octet]!, 36) !== bits) continue
    octets.push(octet)
    if (bits <= quickBits) quick.fill(256 * bits + octet, code << (quickBits - bits), (code + 1) << (quickBits - bits))
    code++
  }
  codeCount[bits] = octets.length - octetsFrom[bits]!
}

let decoded = Buffer.allocUnsafeSlow(1024)

/** Throws for bits that are no code, or padding that is not the beginning of EOS. */
export function decodeHuffman(bytes: Buffer, from: number, to: number): string {
  // The shortest codes have five bits.
  if (decoded.length < (to - from) * 2) decoded = Buffer.allocUnsafeSlow((to - from) * 2)
  const end = to * 8
  let length = 0
  for (let at = from * 8; at < end; ) {
    const index = at >> 3
    const next = index + 1 < to ? bytes[index + 1]! : 0xff
    const entry = quick[(((bytes[index]! << 8) | next) >> (8 - (at & 7))) & 0xff]!
    const bits = entry === 0 ? longCodeBits(bytes, at, end) : entry >> 8
    if (bits === 0) break
    if (at + bits > end) throw new Error('a header ends within a Huffman code')
    decoded[length++] = entry === 0 ? octetOf(bytes, at, bits) : entry & 0xff
    at += bits
  }
  return decoded.toString('latin1', 0, length)
}

const bitAt = (bytes: Buffer, at: number) => (bytes[at >> 3]! >> (7 - (at & 7))) & 1

/** How many bits the code that begins at a bit has; 0 if padding begins there. */
function longCodeBits(bytes: Buffer, from: number, end: number): number {
  let value = 0
  for (let bits = 1; bits <= maxBits; bits++) {
    if (from + bits > end) {
      if (bits <= 8 && value === 2 ** (bits - 1) - 1) return 0
      throw new Error('a header ends within a Huffman code')
    }
    value = 2 * value + bitAt(bytes, from + bits - 1)
    if (value - firstCode[bits]! < codeCount[bits]!) return bits
  }
  throw new Error('a header has bits that are no Huffman code')
}

function octetOf(bytes: Buffer, from: number, bits: number): number {
  let value = 0
  for (let at = from; at < from + bits; at++) value = 2 * value + bitAt(bytes, at)
  return octets[octetsFrom[bits]! + value - firstCode[bits]!]!
}
