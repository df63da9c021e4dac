// `test`, `[ ]` and `[[ ]]`.
import { compilePattern } from '../regular-expression.ts'
import { type WorkBudget, WorkLimitError } from '../work-budget.ts'
import { isMatch } from './pattern.ts'

export interface FileTests {
  isFile(path: string): boolean
  isDirectory(path: string): boolean
  size(path: string): number
}

const numeric: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
}

/** The exit code: 0 true, 1 false, 2 invalid expression. */
export function evaluateTest(words: readonly string[], files: FileTests, isDouble: boolean, work: WorkBudget): number {
  let at = 0
  const isEnd = () => at >= words.length
  const or = (): boolean => {
    let value = and()
    while (!isEnd() && (words[at] === '-o' || words[at] === '||')) {
      at++
      const right = and()
      value ||= right
    }
    return value
  }
  const and = (): boolean => {
    let value = not()
    while (!isEnd() && (words[at] === '-a' || words[at] === '&&')) {
      at++
      const right = not()
      value &&= right
    }
    return value
  }
  const not = (): boolean => {
    if (words[at] === '!' && words.length > at + 1) {
      at++
      return !not()
    }
    return primary()
  }
  const primary = (): boolean => {
    const [first = '', second, third] = words.slice(at, at + 3)
    work.spend(1)
    if (first === '(' && words.length > at + 1) {
      at++
      const value = or()
      if (words[at] !== ')') throw new Error('closing paren expected')
      at++
      return value
    }
    if (second !== undefined && third !== undefined) {
      const compare = Object.hasOwn(numeric, second) ? numeric[second] : undefined
      const isText = ['=', '==', '!=', '<', '>', '=~'].includes(second)
      if (compare !== undefined || isText) {
        at += 3
        if (compare !== undefined) return compare(numberOf(first), numberOf(third))
        return compareTexts(first, second, third, isDouble, work)
      }
    }
    if (/^-[a-zA-Z]$/.test(first) && second !== undefined && second !== '-a' && second !== '-o') {
      at += 2
      return unary[first]?.(second, files) ?? false
    }
    at++
    return first !== ''
  }
  try {
    if (words.length === 0) return 1
    const value = or()
    if (!isEnd()) return 2
    return value ? 0 : 1
  } catch (error) {
    if (error instanceof WorkLimitError) throw error
    return 2
  }
}

function numberOf(text: string): number {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new Error(`${text}: bad number`)
  return Number(text)
}

function compareTexts(a: string, operator: string, b: string, isDouble: boolean, work: WorkBudget): boolean {
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '=~':
      return compilePattern(b, false, work)(a)
  }
  const isSame = isDouble ? isMatch(a, b, work) : a === b
  return operator === '!=' ? !isSame : isSame
}

const unary: Readonly<Record<string, (text: string, files: FileTests) => boolean>> = {
  '-z': (text) => text === '',
  '-n': (text) => text !== '',
  '-f': (path, files) => files.isFile(path),
  '-d': (path, files) => files.isDirectory(path),
  '-e': exists,
  '-r': exists,
  '-w': exists,
  '-s': (path, files) => files.isFile(path) && files.size(path) > 0,
}

function exists(path: string, files: FileTests): boolean {
  return files.isFile(path) || files.isDirectory(path)
}
