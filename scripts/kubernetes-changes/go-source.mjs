// Reads the declarations of Go packages: enough to see which of them exist, which changed, and which others of their package they use.
// Relies on gofmt: a declaration begins in the first column, and a part of a group one tab further.

const tokenPattern =
  /(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])*'|[\p{L}_][\p{L}\p{N}_]*|[0-9][\p{L}\p{N}_.]*|[\s\S]/gu
const isName = (text) => text !== undefined && /^[\p{L}_]/u.test(text)
const closing = { ')': true, ']': true, '}': true }

/** The tokens of a text without comments, each with its position and whether it is at the beginning of a line or one tab further. */
function tokensOf(text) {
  const tokens = []
  for (const match of text.matchAll(tokenPattern)) {
    if (match.groups.space !== undefined || match.groups.comment !== undefined) continue
    const before = text.lastIndexOf('\n', match.index)
    tokens.push({
      text: match[0],
      at: match.index,
      indent: /^\t?$/.test(text.slice(before + 1, match.index)) ? match.index - before - 1 : -1,
    })
  }
  return tokens
}

/** What a declaration says, whatever its comments and line breaks are. */
const normalise = (tokens) =>
  tokens
    .filter(({ text }, index) => !(text === ',' && closing[tokens[index + 1]?.text]))
    .map(({ text }) => text)
    .join(' ')

/** The index after the bracket that closes the one at `from`. */
function skipBrackets(tokens, from) {
  let depth = 0
  for (let index = from; index < tokens.length; index++) {
    if ('([{'.includes(tokens[index].text)) depth++
    else if (closing[tokens[index].text] && --depth === 0) return index + 1
  }
  return tokens.length
}

/** The name of a function, with its type if it is a method, and the name of its receiver. */
function functionName(tokens) {
  if (tokens[1]?.text !== '(') return { name: tokens[1]?.text }
  const end = skipBrackets(tokens, 1)
  const receiver = tokens.slice(2, end - 1).map(({ text }) => text)
  const type = receiver.slice(1).find(isName) ?? receiver[0]
  return { name: `${type}.${tokens[end]?.text}`, receiver: isName(receiver[1]) || receiver[1] === '*' ? receiver[0] : undefined, type }
}

/** Types, variables and constants: the parts of a group, or the declaration itself. */
function declaredParts(tokens) {
  const isGroup = tokens[1]?.text === '('
  const body = isGroup ? tokens.slice(2, skipBrackets(tokens, 1) - 1) : tokens.slice(1)
  const starts = isGroup ? body.flatMap((token, index) => (token.indent === 1 && isName(token.text) ? [index] : [])) : [0]
  return starts.flatMap((start, index) => {
    const part = body.slice(start, starts[index + 1])
    const names = []
    for (let at = 0; isName(part[at]?.text); at += 2) {
      names.push(part[at].text)
      if (part[at + 1]?.text !== ',') break
    }
    return names.map((name) => ({ name, tokens: part }))
  })
}

/** The declarations of a file, with the first and last position of each. */
function declarationsOf(text) {
  const tokens = tokensOf(text)
  const starts = tokens.flatMap(({ text: word, indent }, index) =>
    indent === 0 && /^(?:func|type|var|const|import)$/.test(word) ? [index] : [],
  )
  return starts.flatMap((start, index) => {
    const of = tokens.slice(start, starts[index + 1])
    const kind = of[0].text
    if (kind === 'import') return []
    const parts = kind === 'func' ? [{ ...functionName(of), tokens: of }] : declaredParts(of)
    return parts
      .filter(({ name }) => name !== undefined && name !== '_' && name !== 'init')
      .map(({ tokens: part, ...rest }) => ({ ...rest, kind, tokens: part, from: part[0].at, to: part.at(-1).at + part.at(-1).text.length }))
  })
}

/** The declarations of the same package that a declaration names: functions, variables, and methods of its receiver. */
function usesOf({ name: own, tokens, receiver, type }, names) {
  const found = new Set()
  for (const [index, { text }] of tokens.entries()) {
    if (!isName(text)) continue
    const isSelected = tokens[index - 1]?.text === '.'
    if (!isSelected && text !== own && names.has(text)) found.add(text)
    if (isSelected && tokens[index - 2]?.text === receiver && receiver !== undefined && names.has(`${type}.${text}`))
      found.add(`${type}.${text}`)
  }
  found.delete(own)
  return [...found].sort()
}

/** A declaration. What is expensive is computed when it is read. */
class Declaration {
  #tokens
  #uses
  #names

  constructor(file, text, { name, kind, tokens, receiver, type, from, to }, names) {
    Object.assign(this, { name, kind, file, source: text.slice(from, to) })
    this.#tokens = { name, tokens, receiver, type }
    this.#names = names
  }

  get text() {
    return normalise(this.#tokens.tokens)
  }

  get uses() {
    this.#uses ??= usesOf(this.#tokens, this.#names)
    return this.#uses
  }
}

/**
 * The declarations of a package by name (`ValidatePodSpec`, `DeploymentController.sync`): the file, the kind, the normalised text, the source
 * text, and the names of those of the package that it uses. `files`: the text of each file by its name.
 */
export function readPackage(files) {
  const found = new Map()
  const names = new Set()
  for (const [file, text] of files)
    for (const one of declarationsOf(text)) {
      names.add(one.name)
      // A name that several files declare for different platforms: the first.
      if (!found.has(one.name)) found.set(one.name, new Declaration(file, text, one, names))
    }
  return found
}
