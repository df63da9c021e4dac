// Files are text. Bytes that are not valid UTF-8 become lone surrogates, one for each byte, so that programs can print them as bytes.

const escapeBase = 0xdc00
const firstEscaped = 0x80

export function textOfBytes(bytes: Buffer): string {
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return text
  return [...bytes].map((byte) => String.fromCharCode(byte < firstEscaped ? byte : escapeBase + byte)).join('')
}

export function bytesOfText(text: string): Buffer {
  const parts: Buffer[] = []
  for (const character of text) {
    const byte = character.charCodeAt(0) - escapeBase
    parts.push(character.length === 1 && byte >= firstEscaped && byte < 256 ? Buffer.from([byte]) : Buffer.from(character))
  }
  return Buffer.concat(parts)
}
