// Arguments that can be judged before any evaluation, as they are written out in the expression.
import type { CelType } from './cel-type.ts'
import { patternProblem } from './library/format-text.ts'
import { compilePattern } from './library/regex.ts'
import type { Node, Problem } from './syntax.ts'
import { parseDuration, parseTimestamp } from './time.ts'

export function literalProblem(node: Extract<Node, { kind: 'call' }>, first: CelType | undefined): Problem | undefined {
  const { name, target, args } = node
  const text = textOf(name === 'matches' ? args.at(-1) : name === 'format' ? target : target === undefined ? args[0] : undefined)
  if (text === undefined) return undefined
  switch (name) {
    case 'matches':
      return isPattern(text) ? undefined : { at: args.at(-1)!.at, message: 'invalid matches argument' }
    case 'duration':
      return parseDuration(text) === undefined ? { at: args[0]!.at, message: 'invalid duration argument' } : undefined
    case 'timestamp':
      return isTimestamp(text) ? undefined : { at: args[0]!.at, message: 'invalid timestamp argument' }
    case 'format': {
      const message = first?.kind === 'string' ? patternProblem(text) : undefined
      return message === undefined ? undefined : { at: node.at, message }
    }
    default:
      return undefined
  }
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined

function isPattern(text: string): boolean {
  try {
    compilePattern(text)
    return true
  } catch {
    return false
  }
}

function isTimestamp(text: string): boolean {
  try {
    return parseTimestamp(text) !== undefined
  } catch {
    return false
  }
}
