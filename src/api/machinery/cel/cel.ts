// The Common Expression Language as Kubernetes v1.37 has it: its libraries, its limits, its messages. An expression is compiled once, which
// checks its types, and evaluated often:
//
//   const program = compile('self.replicas <= 5', { variables: { self: schemaType } })
//   program.evaluate({ self: object.spec }, new Budget(perObjectLimit))   // true, or throws EvaluationError
//
// Values go in as JSON, and are read by the declared types (`cel-type.ts`); `dyn` takes any JSON. What comes out is JSON again (`toJson`), except int, which is a
// bigint. Load this file with import() when the first expression is compiled: most clusters never have one.
// Kubernetes: k8s.io/apiserver/pkg/cel/environment.MustBaseEnvSet, baseOpts
import type { CelType } from './cel-type.ts'
import { checkTypes } from './check/check.ts'
import type { Expression } from './check/expression.ts'
import { Compiler } from './compiler.ts'
import type { Functions } from './functions.ts'
import { mergeFunctions, standardFunctions } from './library/libraries.ts'
import { parse } from './parser.ts'
import { Budget } from './program.ts'
import { CompileError, TooComplexError } from './syntax.ts'
import { Duration, showDuration, showTimestamp, Timestamp } from './time.ts'
import { CelList, isMap, JsonMap, JsonObject, OpaqueValue, Optional, TypeValue, toValue, UnsignedInt } from './values.ts'

export * from './cel-type.ts'
export { estimateCost, type SizedType } from './cost/estimate.ts'
export { CostExceededError, EvaluationError, InstantiationError } from './evaluation-error.ts'
export { type Functions, global, member } from './functions.ts'
export { AuthorizationCheck, type AuthorizationSource, authorizerType, resourceCheckType } from './library/authorization.ts'
export { Budget } from './program.ts'
export { CompileError } from './syntax.ts'
export { CelList, LiteralMap, OpaqueValue, Optional, StructValue } from './values.ts'

/** What one evaluation may cost. */
const perCallLimit = 1_000_000
/** What all evaluations for one object or request may cost together. */
export const perObjectLimit = 10_000_000

export interface Environment {
  /** The variables that the expression may use, and their types. */
  readonly variables: Readonly<Record<string, CelType>>
  /** Functions besides Kubernetes' libraries, such as `authorizer`'s. */
  readonly functions?: Functions
  /** The types that a struct literal (`Object.spec{…}`) may name. */
  structOf?(name: string): CelType | undefined
}

export interface Program {
  /** The type of the result. */
  readonly type: CelType
  /** The variables of the environment that it reads. */
  readonly variablesRead: ReadonlySet<string>
  /** With macros expanded and types set, for the estimate of costs. */
  readonly expression: Expression
  /** Throws EvaluationError; CostExceededError when the call or the budget is used up. Absent variables are undefined. */
  evaluate(values: Readonly<Record<string, unknown>>, budget?: Budget): unknown
}

/** Throws CompileError and InstantiationError. */
export function compile(source: string, environment: Environment): Program {
  try {
    return compileUnlimited(source, environment)
  } catch (error) {
    const message = limitExceeded(error)
    throw message === undefined ? error : new CompileError(source, [{ at: 0, message }])
  }
}

function limitExceeded(error: unknown): string | undefined {
  if (error instanceof TooComplexError) return error.message
  const isStackOverflow = error instanceof RangeError && error.message.includes('call stack')
  return isStackOverflow ? 'expression recursion limit exceeded' : undefined
}

function compileUnlimited(source: string, environment: Environment): Program {
  const functions = environment.functions === undefined ? standardFunctions : mergeFunctions(standardFunctions, environment.functions)
  const variables = new Map(Object.entries(environment.variables))
  const { structOf } = environment
  const syntax = parse(source)
  const checked = checkTypes(source, syntax, { variables, functions, ...(structOf !== undefined && { structOf }) })
  const compiler = new Compiler(checked, variables.keys())
  const run = compiler.compile(syntax)
  const names = [...variables]
  return {
    type: checked.expression.type,
    variablesRead: checked.variablesRead,
    expression: checked.expression,
    evaluate(values, budget) {
      const slots = new Array<unknown>(compiler.slotCount)
      for (const [at, [name, declared]] of names.entries()) {
        const value = values[name]
        if (value !== undefined) slots[at] = toValue(declared, value)
      }
      const call = new Budget(Math.min(perCallLimit, budget?.remaining ?? perCallLimit))
      try {
        return run({ slots, budget: call })
      } finally {
        budget?.charge(call.spent)
      }
    },
  }
}

// Kubernetes: k8s.io/apiserver/pkg/cel/common.UnstructuredToVal
/** A result as JSON. Optional values that are absent are undefined. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof UnsignedInt) return Number(value.value)
  if (value instanceof CelList) return [...value].map(toJson)
  if (value instanceof JsonObject || value instanceof JsonMap) return value.raw
  if (isMap(value)) return Object.fromEntries([...value.entries()].map(([key, one]) => [String(key), toJson(one)]))
  if (value instanceof Timestamp) return showTimestamp(value)
  if (value instanceof Duration) return showDuration(value)
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value))
  if (value instanceof TypeValue) return value.name
  return value instanceof Optional ? toJson(value.value) : value instanceof OpaqueValue ? value.typeName : value
}
