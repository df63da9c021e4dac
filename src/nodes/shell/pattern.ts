// Shell patterns: `*`, `?`, `[a-z]`, and the backslash as escape. Matching takes at most the product of both lengths, and is
// charged as work.
import type { WorkBudget } from '../work-budget.ts'

type Piece =
  | { readonly type: 'star' }
  | { readonly type: 'any' }
  | { readonly type: 'char'; readonly char: string }
  | {
      readonly type: 'set'
      readonly isNegated: boolean
      readonly chars: string
      readonly ranges: readonly (readonly [string, string])[]
    }

const comparisonsInAUnit = 100
const star: Piece = { type: 'star' }
const any: Piece = { type: 'any' }

export function isMatch(text: string, pattern: string, work: WorkBudget): boolean {
  const pieces = readPattern(pattern, work)
  let at = 0
  let piece = 0
  let starPiece = -1
  let starAt = 0
  for (let count = 1; at < text.length; count++) {
    if (count % comparisonsInAUnit === 0) work.spend(1)
    const current = pieces[piece]
    if (current?.type === 'star') {
      starPiece = piece++
      starAt = at
    } else if (current !== undefined && takes(current, text[at]!)) {
      at++
      piece++
    } else if (starPiece >= 0) {
      // Only the last star needs to backtrack: it can match everything that an earlier one could.
      piece = starPiece + 1
      at = ++starAt
    } else return false
  }
  while (pieces[piece]?.type === 'star') piece++
  return piece === pieces.length
}

/** The length of the shortest or longest matching prefix (or suffix). Undefined: none matches. */
export function matchingLength(text: string, pattern: string, isAtEnd: boolean, isLongest: boolean, work: WorkBudget): number | undefined {
  const forward = readPattern(pattern, work)
  const pieces = isAtEnd ? forward.toReversed() : forward
  let states = new Set<number>()
  const enter = (into: Set<number>, state: number) => {
    for (let next = state; ; next++) {
      into.add(next)
      if (pieces[next]?.type !== 'star') return
    }
  }
  enter(states, 0)
  let found: number | undefined
  for (let length = 0; ; length++) {
    if (states.has(pieces.length)) {
      found = length
      if (!isLongest) return found
    }
    if (length === text.length || states.size === 0) return found
    work.spend((1 + states.size) / 10)
    const char = text[isAtEnd ? text.length - 1 - length : length]!
    const next = new Set<number>()
    for (const state of states) {
      const piece = pieces[state]
      if (piece === undefined) continue
      if (piece.type === 'star') enter(next, state)
      else if (takes(piece, char)) enter(next, state + 1)
    }
    states = next
  }
}

function takes(piece: Piece, char: string): boolean {
  switch (piece.type) {
    case 'char':
      return piece.char === char
    case 'set':
      return (piece.chars.includes(char) || piece.ranges.some(([from, to]) => from <= char && char <= to)) !== piece.isNegated
    default:
      return true
  }
}

function readPattern(pattern: string, work: WorkBudget): readonly Piece[] {
  work.spend(1 + pattern.length / 10)
  const pieces: Piece[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '\\') pieces.push({ type: 'char', char: pattern[++at] ?? '\\' })
    else if (char === '*') {
      if (pieces.at(-1)?.type !== 'star') pieces.push(star)
    } else if (char === '?') pieces.push(any)
    else {
      const end = char === '[' ? endOfSet(pattern, at) : -1
      if (end < 0) pieces.push({ type: 'char', char })
      else {
        pieces.push(readSet(pattern.slice(at + 1, end)))
        at = end
      }
    }
  }
  return pieces
}

/** The end of the bracket expression. A bracket in the first position is literal. */
function endOfSet(pattern: string, from: number): number {
  const first = from + (pattern[from + 1] === '!' || pattern[from + 1] === '^' ? 2 : 1)
  // Bracket expressions are short. Searching the whole pattern for each bracket would take quadratic time.
  return pattern.slice(0, from + 256).indexOf(']', first + 1)
}

function readSet(text: string): Piece {
  const isNegated = text.startsWith('!') || text.startsWith('^')
  const inner = isNegated ? text.slice(1) : text
  let chars = ''
  const ranges: (readonly [string, string])[] = []
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at]!
    if (inner[at + 1] === '-' && inner[at + 2] !== undefined) {
      ranges.push([char, inner[at + 2]!])
      at += 2
    } else chars += char
  }
  return { type: 'set', isNegated, chars, ranges }
}
