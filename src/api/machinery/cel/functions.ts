// How a library declares functions.
// Kubernetes: github.com/google/cel-go/common/decls.FunctionDecl, OverloadDecl
import type { CelType } from './cel-type.ts'

export interface Overload {
  /** `x.f(y)`: the first argument is the one before the dot. */
  readonly isMember: boolean
  readonly args: readonly CelType[]
  readonly result: CelType
  call(...args: never[]): unknown
  /** The cost of a call, with the sizes of its arguments known. Default 1. */
  cost?(args: readonly unknown[], result: unknown): number
}

/** A function by name: `startsWith`, `_+_`, `sets.contains`. */
export type Functions = Readonly<Record<string, readonly Overload[]>>

type Call = (...args: never[]) => unknown
type Cost = (args: readonly unknown[], result: unknown) => number

/** `x.name(args)` */
export function member(args: readonly CelType[], result: CelType, call: Call, cost?: Cost): Overload {
  return { isMember: true, args, result, call, ...(cost !== undefined && { cost }) }
}

/** `name(args)` */
export function global(args: readonly CelType[], result: CelType, call: Call, cost?: Cost): Overload {
  return { isMember: false, args, result, call, ...(cost !== undefined && { cost }) }
}
