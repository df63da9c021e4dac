// Regular expressions from users. The engine of JavaScript backtracks: `(a+)+$` on 40 letters takes minutes. re2js is a port of the
// engine of Go, which KWOK's queries use too; its time is linear in the length of the input.
import { createRequire } from 'node:module'
import { cached } from '../base/cached.ts'
import type { WorkBudget } from './work-budget.ts'

/** The pattern is invalid or too large. */
export class PatternError extends Error {}

const maxPatternLength = 4096
const maxProgramSize = 3000
const maxCompiled = 64

/** The part of re2js that is used. */
interface Expression {
  test(text: string): boolean
  programSize(): number
}

interface Engine {
  readonly CASE_INSENSITIVE: number
  compile(pattern: string, flags: number): Expression
}

const load = createRequire(import.meta.url)
let engine: Engine | undefined

/** Throws PatternError. Costs the same work whether the pattern is cached or not. */
export function compilePattern(pattern: string, ignoresCase: boolean, work: WorkBudget): (text: string) => boolean {
  if (pattern.length > maxPatternLength) throw new PatternError(`regular expression of more than ${maxPatternLength} characters`)
  work.spend(10 + pattern.length * 5)
  const expression = compile(`${ignoresCase ? 'i' : ' '}${pattern}`)
  const size = expression.programSize()
  if (size > maxProgramSize) throw new PatternError('regular expression too large')
  work.spend(size * 30)
  const unitsOfCharacter = 0.2 * (1 + size / 50)
  return (text) => {
    work.spend(1 + text.length * unitsOfCharacter)
    return expression.test(text)
  }
}

/** Of an `i` or a space, and the pattern. */
const compile = cached(maxCompiled, (key): Expression => {
  // Loaded on first use: most scripts need no pattern, and loading would slow down the start.
  engine ??= (load('re2js') as { readonly RE2JS: Engine }).RE2JS
  try {
    return engine.compile(key.slice(1), key.startsWith('i') ? engine.CASE_INSENSITIVE : 0)
  } catch (error) {
    throw new PatternError((error as Error).message.replace(/^error parsing regexp: /, ''))
  }
})
