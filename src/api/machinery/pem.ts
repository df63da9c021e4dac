// Reads PEM as Go does: text around the blocks is skipped, and so is a block that cannot be read.
// Ours: Go has this decoder in its standard library.

export interface PemBlock {
  readonly type: string
  readonly hasHeaders: boolean
  readonly bytes: Uint8Array
}

const begin = /^-----BEGIN ([^\n]*)-----$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function readPemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = []
  let type: string | undefined
  let lines: string[] = []
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    const begun = begin.exec(line)?.[1]
    if (begun !== undefined) {
      type = begun
      lines = []
    } else if (type !== undefined && line === `-----END ${type}-----`) {
      const block = readBlock(type, lines)
      if (block !== undefined) blocks.push(block)
      type = undefined
    } else if (type !== undefined) lines.push(line)
  }
  return blocks
}

function readBlock(type: string, lines: readonly string[]): PemBlock | undefined {
  const isBody = (line: string) => !line.includes(':')
  const start = lines.findIndex(isBody)
  const body = (start < 0 ? [] : lines.slice(start)).join('').replace(/\s/g, '')
  if (!base64.test(body)) return undefined
  return { type, hasHeaders: start !== 0 && lines.length > 0, bytes: Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0)) }
}

/** One block with lines of 64 letters. */
export function formatPemBlock(type: string, bytes: Uint8Array): string {
  const body = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `-----BEGIN ${type}-----\n${body.replace(/.{1,64}/g, '$&\n')}-----END ${type}-----\n`
}
