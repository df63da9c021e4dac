// Arithmetic expressions: `$(( ))` and `expr`. Integers are exact up to 2^53, not 64 bits.
import { ShellSyntaxError } from './syntax.ts'

const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

const maxDepth = 200

export interface Variables {
  get(name: string): string | undefined
  set(name: string, value: string): void
}

export function evaluateArithmetic(text: string, variables: Variables): number {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|\|\||&&|[=!<>]=|<<|>>|\+\+|--|[-+*/%&|^]=|[-+*/%()<>=!~?:&|^]/g) ?? []
  if (tokens.join('') !== text.replace(/\s+/g, '')) throw new ShellSyntaxError(`arithmetic syntax error`)
  let at = 0
  let depth = 0
  const nested = (evaluate: () => number): number => {
    if (++depth > maxDepth) throw new ShellSyntaxError('arithmetic expression nested too deeply')
    const value = evaluate()
    depth--
    return value
  }
  const take = (expected: string) => {
    if (tokens[at] !== expected) throw new ShellSyntaxError('arithmetic syntax error')
    at++
  }
  const valueOfName = (name: string): number => {
    const value = variables.get(name) ?? ''
    return /^\s*-?\d+\s*$/.test(value) ? Number(value) : 0
  }
  const primary = (): number => nested(readPrimary)
  const readPrimary = (): number => {
    const token = tokens[at++]
    if (token === undefined) throw new ShellSyntaxError('arithmetic syntax error')
    if (token === '(') {
      const value = assignment()
      take(')')
      return value
    }
    if (token === '-') return -primary()
    if (token === '+') return primary()
    if (token === '!') return primary() === 0 ? 1 : 0
    if (token === '~') return ~primary()
    if (token === '++' || token === '--') {
      const name = tokens[at++] ?? ''
      const value = valueOfName(name) + (token === '++' ? 1 : -1)
      variables.set(name, String(value))
      return value
    }
    if (/^\d+$/.test(token)) return /^0\d/.test(token) ? Number.parseInt(token, 8) : Number(token)
    if (!/^[A-Za-z_]/.test(token)) throw new ShellSyntaxError('arithmetic syntax error')
    const value = valueOfName(token)
    if (tokens[at] === '++' || tokens[at] === '--') variables.set(token, String(value + (tokens[at++] === '++' ? 1 : -1)))
    return value
  }
  const binary = (level: number): number => {
    if (level === levels.length) return primary()
    let left = binary(level + 1)
    while (tokens[at] !== undefined && levels[level]!.includes(tokens[at]!)) {
      const operator = tokens[at++]!
      left = calculate(operator, left, binary(level + 1))
    }
    return left
  }
  const ternary = (): number => {
    const condition = binary(0)
    if (tokens[at] !== '?') return condition
    at++
    const yes = assignment()
    take(':')
    const no = assignment()
    return condition !== 0 ? yes : no
  }
  const assignment = (): number => nested(readAssignment)
  const readAssignment = (): number => {
    const name = tokens[at]
    const operator = tokens[at + 1]
    if (name === undefined || operator === undefined || !/^[A-Za-z_]/.test(name) || !/^[-+*/%&|^]?=$/.test(operator)) return ternary()
    at += 2
    const right = assignment()
    const value = operator === '=' ? right : calculate(operator.slice(0, -1), valueOfName(name), right)
    variables.set(name, String(value))
    return value
  }
  if (tokens.length === 0) return 0
  const value = assignment()
  if (at < tokens.length) throw new ShellSyntaxError('arithmetic syntax error')
  return value
}

const operations: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  '||': (a, b) => a !== 0 || b !== 0,
  '&&': (a, b) => a !== 0 && b !== 0,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
}

function calculate(operator: string, a: number, b: number): number {
  if (b === 0 && (operator === '/' || operator === '%')) throw new ShellSyntaxError('divide by zero')
  return Number(operations[operator]!(a, b))
}
