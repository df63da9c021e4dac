// The nesting depth of a YAML document, computed from its lexemes before any recursive code parses it.
// Ours: a limit that protects the stack.

/** As yaml's `CST.tokenType` names them. */
export type LexemeType = string | null

const unknown = -1

export class YamlDepth {
  /** The start columns of the open block collections, in ascending order. */
  readonly #columns: number[] = []
  #flow = 0
  #column = 0
  /** The column of the key, if a mapping starts here. */
  #keyColumn = unknown
  #isLineStart = true

  /**
   * The number of open collections after this lexeme. The true depth is at most twice that: a sequence may start at the column of the
   * mapping that contains it, and a pair in a flow sequence is a mapping.
   */
  add(lexeme: string, type: LexemeType): number {
    if (type === 'flow-map-start' || type === 'flow-seq-start') this.#flow++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.#flow = Math.max(0, this.#flow - 1)
    else if (type === 'flow-error-end') this.#flow = 0
    if (this.#flow === 0 && type !== 'space' && type !== 'newline' && type !== 'comment') this.#addBlock(type)
    this.#advance(lexeme, type)
    return this.#columns.length + this.#flow
  }

  #addBlock(type: LexemeType): void {
    if (this.#isLineStart) {
      while (this.#columns.length > 0 && this.#columns.at(-1)! > this.#column) this.#columns.pop()
      this.#isLineStart = false
      this.#keyColumn = unknown
    }
    if (this.#keyColumn === unknown) this.#keyColumn = this.#column
    if (type !== 'seq-item-ind' && type !== 'explicit-key-ind' && type !== 'map-value-ind') return
    if (this.#keyColumn > (this.#columns.at(-1) ?? unknown)) this.#columns.push(this.#keyColumn)
    this.#keyColumn = unknown
  }

  #advance(lexeme: string, type: LexemeType): void {
    const lineEnd = lexeme.lastIndexOf('\n')
    this.#column = lineEnd < 0 ? this.#column + lexeme.length : lexeme.length - lineEnd - 1
    if (type === 'newline' || lexeme.endsWith('\n')) this.#isLineStart = true
  }
}
