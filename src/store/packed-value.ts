// Compression of similar values. Of the 4 KB of a running pod, all but 400 bytes occur in every pod: field names, defaults, field
// managers. A pattern is the common part with holes; a packed value is the pattern and the contents of its holes.
//
// A text is split into tokens at every quote, and a hole is one token, so that it contains no quote. Matching a text compares
// the fragments of the pattern at their positions; filling joins fragments and contents. Packing verifies that filling restores
// the text, as corruption here would go unnoticed.
import { dropOldest, getOrAdd } from '../base/maps.ts'

const quote = '"'
/** Precedes a reference to an equal earlier hole, encoded as one character after the quote. Cannot occur in JSON. */
const sameAs = '\x01'
const firstReference = quote.charCodeAt(0) + 1
const maxReferences = 0xff - firstReference

/** A new pattern must cover at least this share of a text. */
const minCommonShare = 0.5
/** A pattern that gets more holes must keep at least this share of its common part. */
const minRemainingShare = 0.8
const maxPatterns = 64
const maxHoles = 200
/** Longer texts are rarely similar, and comparing them takes long. */
const maxCharacters = 2 ** 16
const maxSamples = 4
const maxGroups = 64
/** After this many texts without a pattern, no new patterns are searched until a text matches a known one. */
const maxFailedSearches = 200

interface PackedValue {
  readonly pattern: Pattern
  readonly values: string
}

export class Pattern {
  /** There is a hole between any two of them. */
  readonly #fragments: readonly string[]
  /** A text that the pattern matches, and which of its tokens are holes. */
  readonly #example: string
  readonly #holes: ReadonlySet<number>
  readonly #common: number

  private constructor(example: string, tokens: readonly string[], holes: ReadonlySet<number>, common: number) {
    this.#example = example
    this.#holes = holes
    this.#common = common
    const fragments: string[] = []
    let start = 0
    let before = ''
    for (const hole of [...holes].sort((a, b) => a - b)) {
      // The quotes on both sides of a hole belong to the fragments.
      fragments.push(fragmentOf(before, tokens, start, hole, hole > 0 ? quote : ''))
      before = hole + 1 < tokens.length ? quote : ''
      start = hole + 1
    }
    fragments.push(fragmentOf(before, tokens, start, tokens.length, ''))
    this.#fragments = fragments
  }

  /** The common part of the two texts, if it is large enough. */
  static of(example: string, text: string): Pattern | undefined {
    return Pattern.#of(example, text, new Set(), minCommonShare * text.length)
  }

  static #of(example: string, text: string, holes: ReadonlySet<number>, least: number): Pattern | undefined {
    const tokens = example.split(quote)
    const others = text.split(quote)
    if (tokens.length !== others.length) return undefined
    const wider = new Set(holes)
    let common = 0
    for (let at = 0; at < tokens.length; at++) {
      if (tokens[at] !== others[at]) wider.add(at)
      else if (!wider.has(at)) common += tokens[at]!.length + 1
    }
    return common < least || wider.size > maxHoles ? undefined : new Pattern(example, tokens, wider, common)
  }

  /** A pattern that matches everything that this one does, and also the text. */
  widen(text: string): Pattern | undefined {
    return Pattern.#of(this.#example, text, this.#holes, minRemainingShare * this.#common)
  }

  /** The contents of the holes; undefined when the text does not match. */
  match(text: string): string | undefined {
    const fragments = this.#fragments
    const last = fragments.length - 1
    if (last === 0) return text === fragments[0] ? '' : undefined
    if (!text.startsWith(fragments[0]!)) return undefined
    let at = fragments[0]!.length
    const values: string[] = []
    for (let hole = 1; hole <= last; hole++) {
      const fragment = fragments[hole]!
      const quoteAt = text.indexOf(quote, at)
      const end = quoteAt < 0 ? text.length : quoteAt
      if (!isAt(text, fragment, end)) return undefined
      const value = text.slice(at, end)
      const known = value.length > 2 ? values.indexOf(value) : -1
      values.push(known >= 0 && known < maxReferences ? sameAs + String.fromCharCode(firstReference + known) : value)
      at = end + fragment.length
    }
    return at === text.length && !text.includes(sameAs) ? values.join(quote) : undefined
  }

  fill(values: string): string {
    const fragments = this.#fragments
    if (fragments.length === 1) return fragments[0]!
    const parts = values.split(quote)
    const pieces = [fragments[0]!]
    for (let hole = 0; hole < parts.length; hole++) {
      const value = parts[hole]!
      pieces.push(value.startsWith(sameAs) ? parts[value.charCodeAt(1) - firstReference]! : value, fragments[hole + 1]!)
    }
    return pieces.join('')
  }

  /** False: no token of the text with these values contains `part`. */
  mayContain(values: string, part: string): boolean {
    return values.includes(part) || this.#fragments.some((fragment) => fragment.includes(part))
  }
}

/** V8 compares two strings of this length faster than a string with a section of another. */
const longPart = 24

function isAt(text: string, part: string, at: number): boolean {
  return part.length < longPart ? text.startsWith(part, at) : text.slice(at, at + part.length) === part
}

function fragmentOf(before: string, tokens: readonly string[], start: number, end: number, after: string): string {
  // Two adjacent holes are separated by one quote.
  if (start === end) return before === '' || after === '' ? before + after : quote
  return before + tokens.slice(start, end).join(quote) + after
}

/** The patterns of one group of texts. */
interface Group {
  /** Frequently used patterns move to the front. */
  readonly patterns: Pattern[]
  /** Recent texts without a pattern. */
  readonly samples: string[]
  remainingSearches: number
}

export class ValuePacker {
  readonly #groups = new Map<string, Group>()

  /** Only texts of the same group are compared. Undefined when no pattern was found. */
  pack(groupName: string, text: string): PackedValue | undefined {
    if (text.length > maxCharacters) return undefined
    const group = this.#groupOf(groupName)
    const { patterns } = group
    for (let at = 0; at < patterns.length; at++) {
      const pattern = patterns[at]!
      const values = pattern.match(text)
      if (values === undefined || pattern.fill(values) !== text) continue
      if (at > 0) {
        patterns[at] = patterns[at - 1]!
        patterns[at - 1] = pattern
      }
      if (group.remainingSearches < maxFailedSearches) group.remainingSearches++
      return { pattern, values }
    }
    return group.remainingSearches > 0 ? this.#learn(group, text) : undefined
  }

  #learn(group: Group, text: string): PackedValue | undefined {
    group.remainingSearches--
    const { patterns, samples } = group
    for (const [at, known] of patterns.entries()) {
      const pattern = known.widen(text)
      const values = pattern?.match(text)
      if (values === undefined || pattern!.fill(values) !== text) continue
      patterns[at] = pattern!
      return { pattern: pattern!, values }
    }
    for (const [at, sample] of samples.entries()) {
      const pattern = Pattern.of(sample, text)
      const values = pattern?.match(text)
      if (values === undefined || pattern!.fill(values) !== text) continue
      samples.splice(at, 1)
      patterns.unshift(pattern!)
      if (patterns.length > maxPatterns) patterns.pop()
      return { pattern: pattern!, values }
    }
    samples.push(text)
    if (samples.length > maxSamples) samples.shift()
    return undefined
  }

  #groupOf(name: string): Group {
    const group = getOrAdd(this.#groups, name, () => ({ patterns: [], samples: [], remainingSearches: maxFailedSearches }))
    dropOldest(this.#groups, maxGroups)
    return group
  }
}
