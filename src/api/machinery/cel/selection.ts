// Reading fields and items.
// Kubernetes: github.com/google/cel-go/interpreter.refQualify, newQualifier
// Kubernetes: k8s.io/apiserver/pkg/cel.Unescape
import { EvaluationError } from './evaluation-error.ts'
import type { Frame, Run } from './program.ts'
import { CelList, isMap, Optional, UnsignedInt } from './values.ts'

/** Undefined: it has no such field. */
function fieldOf(value: unknown, field: string): unknown {
  if (isMap(value)) return value.get(field)
  if (value instanceof CelList) throw new EvaluationError("unsupported index type 'string' in list")
  throw new EvaluationError(`no such key: ${field}`)
}

export function select(operand: Run, field: string): Run {
  return (frame) => {
    const value = fieldOf(operand(frame), field)
    frame.budget.spend(1)
    if (value === undefined) throw new EvaluationError(`no such key: ${field}`)
    return value
  }
}

export function hasField(operand: Run, field: string): Run {
  return throughOptional(operand, false, (value) => fieldOf(value, field) !== undefined)
}

export function selectOptional(operand: Run, field: string): Run {
  return throughOptional(operand, Optional.none, (value, { budget }) => {
    budget.spend(1)
    const found = fieldOf(value, field)
    return found === undefined ? Optional.none : found instanceof Optional ? found : new Optional(found)
  })
}

/** Reads from the operand, or from the value in it if it is an optional; `none` if that has no value. */
function throughOptional(operand: Run, none: unknown, read: (value: unknown, frame: Frame) => unknown): Run {
  return (frame) => {
    const value = operand(frame)
    if (!(value instanceof Optional)) return read(value, frame)
    return value.value === undefined ? none : read(value.value, frame)
  }
}

export function readIndex(operand: Run, index: Run): Run {
  return (frame) => {
    const value = operand(frame)
    const key = index(frame)
    frame.budget.spend(1)
    const found = itemOf(value, key)
    if (found !== undefined) return found
    if (value instanceof CelList) throw new EvaluationError(`index out of bounds: ${showKey(key)}`)
    throw new EvaluationError(`no such key: ${showKey(key)}`)
  }
}

export function readOptionalIndex(operand: Run, index: Run): Run {
  return throughOptional(operand, Optional.none, (value, frame) => {
    frame.budget.spend(1)
    const found = itemOf(value, index(frame))
    return found === undefined ? Optional.none : new Optional(found)
  })
}

function itemOf(value: unknown, key: unknown): unknown {
  if (isMap(value)) return value.get(key)
  if (!(value instanceof CelList)) throw new EvaluationError('no such overload')
  const at = key instanceof UnsignedInt ? key.value : key
  if (typeof at !== 'bigint' && !(typeof at === 'number' && Number.isInteger(at))) throw new EvaluationError('unsupported index type')
  return at < 0 || at >= value.size ? undefined : value.at(Number(at))
}

const showKey = (key: unknown) => String(key instanceof UnsignedInt ? key.value : key)
