// Sentences for the caller, as Warning headers.

const mostCharacters = 4096
const mostOfOneCharacters = 256

/** Collects sentences; each is said once. All are cut when together they are too long, as Kubernetes does. */
export class Warnings {
  readonly #sentences = new Set<string>()

  readonly add = (sentence: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not hold them
    if (!/[\u0000-\u001f\u007f-\u009f]/.test(sentence)) this.#sentences.add(sentence)
  }

  /** The headers, or undefined without any. */
  headers(): readonly string[] | undefined {
    if (this.#sentences.size === 0) return undefined
    const sentences = [...this.#sentences].map((sentence) => [...sentence])
    const total = sentences.reduce((sum, one) => sum + one.length, 0)
    if (total <= mostCharacters) return sentences.map(toHeader)
    const headers: string[] = []
    let written = 0
    for (const one of sentences) {
      if (written >= mostCharacters) break
      const cut = one.slice(0, mostOfOneCharacters)
      written += cut.length
      headers.push(toHeader(cut))
    }
    return headers
  }
}

// Node writes headers as Latin-1; Go reads and writes UTF-8.
function toHeader(characters: readonly string[]): string {
  const quoted = characters.map((one) => (one === '"' || one === '\\' ? `\\${one}` : one)).join('')
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`
}
