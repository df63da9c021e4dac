// Checks the types of an expression.
// Kubernetes: github.com/google/cel-go/checker.Check
import { CompileError, type Node, TooComplexError } from '../syntax.ts'
import { Checker, type Names } from './checker.ts'
import { type Expression, expand } from './expression.ts'
import { findLiteralProblems } from './literal-rules.ts'

export type { Names } from './checker.ts'

export interface Checked {
  /** With its macros expanded, and all types set. */
  readonly expression: Expression
  /** The checked expression of a part of the source. */
  factsOf(node: Node): Expression
  /** The variables of the environment that the expression reads. */
  readonly variablesRead: ReadonlySet<string>
}

/** How many written parts an expression may have once its macros are expanded: a chain of optMap() doubles them with every call. */
const maxParts = 100_000

function expandWithinLimit(syntax: Node): Expression {
  let parts = 0
  return expand(syntax, () => {
    if (++parts > maxParts) throw new TooComplexError(`expression is too complex: more than ${maxParts} parts once its macros are expanded`)
  })
}

/** Throws CompileError and TooComplexError. */
export function checkTypes(source: string, syntax: Node, names: Names): Checked {
  const expression = expandWithinLimit(syntax)
  const checker = new Checker(names)
  const parts = checker.check(expression)
  const problems = checker.problems.length > 0 ? checker.problems : findLiteralProblems(expression)
  if (problems.length > 0) throw new CompileError(source, problems)
  const facts = new Map<Node, Expression>()
  for (const part of parts) if (part.source !== undefined) facts.set(part.source, part)
  return { expression, factsOf: (node) => facts.get(node)!, variablesRead: checker.variablesRead }
}
