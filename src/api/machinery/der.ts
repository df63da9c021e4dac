// Reads DER, the encoding of certificates and of requests for them.
// Ours: Go has this decoder in its standard library.

export interface Element {
  readonly tag: number
  readonly content: Uint8Array
  /** With its tag and length. */
  readonly bytes: Uint8Array
}

const sequenceTag = 0x30

/** The elements of a DER sequence. Throws an Error for bytes that are no DER. */
export function readSequence(bytes: Uint8Array): Element[] {
  const [outer] = readElements(bytes)
  if (outer?.tag !== sequenceTag) throw new Error('expected a sequence')
  return readElements(outer.content)
}

/** The elements one after the other. Throws an Error for bytes that are no DER. */
export function readElements(bytes: Uint8Array): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1]
    if (first === undefined) throw new Error('the data ends early')
    const sizeLength = first < 0x80 ? 0 : first & 0x7f
    if (sizeLength > 4) throw new Error('an element is too long')
    const start = at + 2 + sizeLength
    const length = sizeLength === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
    if (start + length > bytes.length) throw new Error('the data ends early')
    elements.push({ tag: bytes[at]!, content: bytes.subarray(start, start + length), bytes: bytes.subarray(at, start + length) })
    at = start + length
  }
  return elements
}

export const hexOf = (bytes: Uint8Array | undefined): string =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
