// Calls of functions: which overload, at what cost.
// Kubernetes: github.com/google/cel-go/interpreter.CostTracker.costCall
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.CallCost
import type { CelType } from './cel-type.ts'
import { EvaluationError } from './evaluation-error.ts'
import type { Overload } from './functions.ts'
import type { Run } from './program.ts'
import { Duration, Timestamp } from './time.ts'
import { CelList, isMap, OpaqueValue, Optional, TypeValue, UnsignedInt } from './values.ts'

/** `mayDiffer`: the types of arguments are known only at run time. */
export function callOf(name: string, overloads: readonly Overload[], args: readonly Run[], mayDiffer: boolean): Run {
  const [first] = overloads as [Overload]
  const isChosen = overloads.length === 1 && !mayDiffer
  return (frame) => {
    const values = args.map((run) => run(frame))
    const overload = isChosen ? first : overloads.find((one) => one.args.every((type, at) => isOfType(values[at], type)))
    if (overload === undefined) throw new EvaluationError('no such overload')
    const result = (overload.call as (...args: unknown[]) => unknown)(...values)
    frame.budget.spend(overload.cost === undefined ? 1 : overload.cost(values, result))
    if (result === undefined) throw new EvaluationError(`${name} has no result`)
    return result
  }
}

type IsOfType<K extends CelType['kind']> = (value: unknown, type: Extract<CelType, { readonly kind: K }>) => boolean

const checks: { readonly [K in CelType['kind']]: IsOfType<K> } = {
  dyn: () => true,
  error: () => true,
  param: () => true,
  int: (value) => typeof value === 'bigint',
  double: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
  uint: (value) => value instanceof UnsignedInt,
  bytes: (value) => value instanceof Uint8Array,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  list: (value, type) => value instanceof CelList && (value.size === 0 || isOfType(value.at(0), type.of)),
  map: isMap,
  object: isMap,
  type: (value) => value instanceof TypeValue,
  opaque: (value, { name }) =>
    name === 'optional_type' ? value instanceof Optional : value instanceof OpaqueValue && value.typeName === name,
}

/** Whether the value is of the type, without regard to what it contains. */
const isOfType = (value: unknown, type: CelType): boolean => (checks[type.kind] as IsOfType<CelType['kind']>)(value, type)
