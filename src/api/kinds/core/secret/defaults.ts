import { fillMap, fillObject } from '../../../machinery/fields.ts'
import type { Secret, Writable } from '../../../types.ts'

/** `stringData` is written into `data`, over what is there, and is never stored. */
export function defaultSecret(secret: Writable<Secret>): void {
  const { stringData } = secret
  if (stringData !== undefined) {
    const encoded: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [key, text] of Object.entries(stringData)) encoded[key] = toBase64(text)
    delete secret.stringData
    if (Object.keys(encoded).length > 0) {
      const data = fillMap(encoded, secret.data ?? {})
      delete secret.data
      fillObject('core.Secret', secret, { data })
    }
  }
  fillObject('core.Secret', secret, { type: 'Opaque' })
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at]!, bytes[at + 1], bytes[at + 2]]
    encoded += alphabet[a >> 2]! + alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]!
    encoded += b === undefined ? '=' : alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]!
    encoded += c === undefined ? '=' : alphabet[c & 63]!
  }
  return encoded
}
