// Warning headers of a response.

const maxTotalCharacters = 4096
const maxTruncatedCharacters = 256

/** Collects distinct warnings. As in Kubernetes, all are truncated when their total length exceeds the limit. */
export class Warnings {
  readonly #sentences = new Set<string>()

  readonly add = (sentence: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not hold them
    if (!/[\u0000-\u001f\u007f-\u009f]/.test(sentence)) this.#sentences.add(sentence)
  }

  /** Undefined when there are no warnings. */
  headers(): readonly string[] | undefined {
    if (this.#sentences.size === 0) return undefined
    const sentences = [...this.#sentences].map((sentence) => [...sentence])
    const total = sentences.reduce((sum, one) => sum + one.length, 0)
    if (total <= maxTotalCharacters) return sentences.map(toHeader)
    const headers: string[] = []
    let written = 0
    for (const one of sentences) {
      if (written >= maxTotalCharacters) break
      const cut = one.slice(0, maxTruncatedCharacters)
      written += cut.length
      headers.push(toHeader(cut))
    }
    return headers
  }
}

// Node encodes headers as Latin-1; Go expects UTF-8.
function toHeader(characters: readonly string[]): string {
  const quoted = characters.map((one) => (one === '"' || one === '\\' ? `\\${one}` : one)).join('')
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`
}
