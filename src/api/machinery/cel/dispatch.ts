// Calls of functions: which overload, at what cost.
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

/** Whether the value is of the type, without regard to what it contains. */
function isOfType(value: unknown, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true
    case 'int':
      return typeof value === 'bigint'
    case 'double':
      return typeof value === 'number'
    case 'bool':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string'
    case 'null':
      return value === null
    case 'uint':
      return value instanceof UnsignedInt
    case 'bytes':
      return value instanceof Uint8Array
    case 'timestamp':
      return value instanceof Timestamp
    case 'duration':
      return value instanceof Duration
    case 'list':
      return value instanceof CelList && (value.size === 0 || isOfType(value.at(0), type.of))
    case 'map':
    case 'object':
      return isMap(value)
    case 'type':
      return value instanceof TypeValue
    case 'opaque':
      return type.name === 'optional_type' ? value instanceof Optional : value instanceof OpaqueValue && value.typeName === type.name
  }
}
