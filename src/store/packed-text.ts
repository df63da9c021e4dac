// Texts that are alike, each as what sets it apart. Of a running pod's 4 KB all but 400 bytes are those of any pod: names of
// fields, defaults, managers of fields. A pattern is what many have in common, with holes; a packed text is what is in them.
//
// A text is seen as tokens, cut at every quote. What is between two fragments of a pattern is one token, so that it has no
// quote: to match a text is to compare the fragments where they must stand, and to join them again gives the same text,
// whatever the text is about. That it does is looked at each time, as nobody would ever find what was lost here.

const quote = '"'
/** Begins a value that is equal to an earlier one: its number follows, as a character after the quote. In JSON it cannot occur. */
const sameAs = '\x01'
const firstNumber = quote.charCodeAt(0) + 1
const mostNumbers = 0xff - firstNumber

/** Less than this part of a text in common is no pattern. */
const leastCommon = 0.5
/** So much of a pattern stays when it gets more holes. What would leave less is of another kind. */
const leastLeft = 0.8
const mostPatterns = 64
const mostHoles = 200
/** Longer ones are rarely alike, and each look at them takes its time. */
const mostCharacters = 2 ** 16
const mostSamples = 4
const mostGroups = 64
/** So many texts in a row may be searched for what they have in common and give nothing, until one is like a known one. */
const mostPatience = 200

export interface PackedText {
  readonly pattern: Pattern
  readonly values: string
}

export class Pattern {
  /** The holes are between them. */
  readonly #fragments: readonly string[]
  /** A text of its kind, and which of its tokens are holes. */
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

  /** What the two have in common, where that is enough. */
  static of(example: string, text: string): Pattern | undefined {
    return Pattern.#of(example, text, new Set(), leastCommon * text.length)
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
    return common < least || wider.size > mostHoles ? undefined : new Pattern(example, tokens, wider, common)
  }

  /** A pattern for all that this one is for, and the text as well. */
  widen(text: string): Pattern | undefined {
    return Pattern.#of(this.#example, text, this.#holes, leastLeft * this.#common)
  }

  /** What the text has in the holes; undefined when it is of another kind. */
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
      values.push(known >= 0 && known < mostNumbers ? sameAs + String.fromCharCode(firstNumber + known) : value)
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
      pieces.push(value.startsWith(sameAs) ? parts[value.charCodeAt(1) - firstNumber]! : value, fragments[hole + 1]!)
    }
    return pieces.join('')
  }

  /** Whether a text with these values may have a token that has that part. */
  mayHave(values: string, part: string): boolean {
    return values.includes(part) || this.#fragments.some((fragment) => fragment.includes(part))
  }
}

/** Of longer parts the engine compares several characters at a time when they are strings of their own. */
const longPart = 24

function isAt(text: string, part: string, at: number): boolean {
  return part.length < longPart ? text.startsWith(part, at) : text.slice(at, at + part.length) === part
}

function fragmentOf(before: string, tokens: readonly string[], start: number, end: number, after: string): string {
  // Two holes in a row have one quote between them.
  if (start === end) return before === '' || after === '' ? before + after : quote
  return before + tokens.slice(start, end).join(quote) + after
}

/** What is known of the texts of one group. */
interface Group {
  /** The one that was of use last comes first. */
  readonly patterns: Pattern[]
  /** Texts that no other was like, so far. */
  readonly samples: string[]
  patience: number
}

export class TextPacking {
  readonly #groups = new Map<string, Group>()

  /** Texts of one group may be alike. Undefined: this one is like none before it, as far as those are remembered. */
  pack(groupName: string, text: string): PackedText | undefined {
    if (text.length > mostCharacters) return undefined
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
      if (group.patience < mostPatience) group.patience++
      return { pattern, values }
    }
    return group.patience > 0 ? this.#learn(group, text) : undefined
  }

  #learn(group: Group, text: string): PackedText | undefined {
    group.patience--
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
      if (patterns.length > mostPatterns) patterns.pop()
      return { pattern: pattern!, values }
    }
    samples.push(text)
    if (samples.length > mostSamples) samples.shift()
    return undefined
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const group: Group = { patterns: [], samples: [], patience: mostPatience }
    this.#groups.set(name, group)
    if (this.#groups.size > mostGroups) this.#groups.delete(this.#groups.keys().next().value!)
    return group
  }
}
