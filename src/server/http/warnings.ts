// Warning headers of a response.

const maxTotalCharacters = 4096
const maxTruncatedCharacters = 256
/** Longer than the total limit, also where each character takes two code units. */
const maxKeptLength = 2 * maxTotalCharacters + 2

/** Collects distinct warnings. As in Kubernetes, all are truncated when their total length exceeds the limit. */
export class Warnings {
  readonly #sentences = new Set<string>()
  #truncatedCharacters = 0

  readonly add = (given: string): void => {
    // What is beyond the limits is never sent, and a webhook may send megabytes.
    if (this.#truncatedCharacters > maxTotalCharacters) return
    const sentence = given.slice(0, maxKeptLength)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not hold them
    if (/[\u0000-\u001f\u007f-\u009f]/.test(sentence) || this.#sentences.has(sentence)) return
    this.#sentences.add(sentence)
    this.#truncatedCharacters += Math.min(Math.floor(sentence.length / 2), maxTruncatedCharacters)
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
