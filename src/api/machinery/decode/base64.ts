// Standard base64 with padding, as Go's decoder takes it: line breaks are skipped, and the unused bits of the last
// character do not matter.
// Ours: Go has this decoder in its standard library.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const plain = /^[A-Za-z0-9+/]*={0,2}$/

/** The text as Go would encode the same bytes, or the position of the first wrong byte. */
export function canonicalBase64(text: string): string | number {
  if (text.length % 4 === 0 && plain.test(text)) return withoutUnusedBits(text)
  const problem = findProblem(text)
  return problem ?? withoutUnusedBits(text.replace(/[\r\n]/g, ''))
}

function withoutUnusedBits(text: string): string {
  if (!text.endsWith('=')) return text
  const padding = text.endsWith('==') ? 2 : 1
  const at = text.length - padding - 1
  const value = alphabet.indexOf(text[at]!)
  const kept = padding === 2 ? value & 0b110000 : value & 0b111100
  return kept === value ? text : `${text.slice(0, at)}${alphabet[kept]}${'='.repeat(padding)}`
}

function findProblem(text: string): number | undefined {
  let at = 0
  const skipBreaks = () => {
    while (text[at] === '\n' || text[at] === '\r') at++
  }
  while (true) {
    for (let place = 0; place < 4; place++) {
      skipBreaks()
      if (at >= text.length) return place === 0 ? undefined : at - place
      const character = text[at++]!
      if (alphabet.includes(character)) continue
      if (character !== '=' || place < 2) return at - 1
      if (place === 2) {
        skipBreaks()
        if (at >= text.length) return text.length
        if (text[at] !== '=') return at - 1
        at++
      }
      skipBreaks()
      return at < text.length ? at : undefined
    }
  }
}
