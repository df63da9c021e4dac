// Macros that bind variables, at run time.
// Kubernetes: github.com/google/cel-go/interpreter.evalFold.*
import { compare } from './equality.ts'
import { EvaluationError } from './evaluation-error.ts'
import { absorbed, asBool, type Frame, type Run } from './program.ts'
import type { FoldName } from './syntax.ts'
import { CelList, isMap, LiteralMap, Optional } from './values.ts'

interface FoldParts {
  readonly range: Run
  readonly condition?: Run
  readonly body: Run
  /** The slots of the variables. */
  readonly slots: readonly number[]
}

/** What a turn costs besides its expressions: the accumulator is read and combined. */
const turnCost = 3
const listCost = 10
const mapCost = 30

/** Calls `visit` with the variables of each turn set, until it returns false. */
function each(frame: Frame, { range, slots }: FoldParts, visit: () => boolean): void {
  const over = range(frame)
  const turn = (first: unknown, second: unknown) => {
    frame.budget.spend(turnCost)
    frame.slots[slots[0]!] = first
    if (slots.length > 1) frame.slots[slots[1]!] = second
    return visit()
  }
  const isPair = slots.length > 1
  if (over instanceof CelList) {
    for (let at = 0; at < over.size; at++) if (!(isPair ? turn(BigInt(at), over.at(at)) : turn(over.at(at), undefined))) return
  } else if (isMap(over)) {
    for (const [key, value] of over.entries()) if (!turn(key, value)) return
  } else throw new EvaluationError('no such overload')
}

export function runFold(name: FoldName, parts: FoldParts): Run {
  switch (name) {
    case 'all':
      return quantifier(parts, false)
    case 'exists':
      return quantifier(parts, true)
    case 'existsOne':
      return existsOne(parts)
    case 'map':
    case 'transformList':
      return collect(parts, (frame) => parts.body(frame))
    case 'filter':
      return collect({ ...parts, condition: parts.body }, (frame) => frame.slots[parts.slots[0]!])
    case 'transformMap':
      return collectMap(parts, (frame, map) => map.add(frame.slots[parts.slots[0]!], parts.body(frame)))
    case 'transformMapEntry':
      return collectMap(parts, addEntry(parts))
    case 'optMap':
      return optional(parts, (value) => new Optional(value))
    case 'optFlatMap':
      return optional(parts, (value) => value)
    case 'sortBy':
      return sortBy(parts)
  }
}

/** A failed turn counts only if no other turn decides. */
function quantifier(parts: FoldParts, decisive: boolean): Run {
  return (frame) => {
    let failure: EvaluationError | undefined
    let isDecided = false
    each(frame, parts, () => {
      try {
        const value = parts.body(frame)
        if (value === decisive) isDecided = true
        else asBool(value)
      } catch (error) {
        failure ??= absorbed(error)
      }
      return !isDecided
    })
    if (isDecided) return decisive
    if (failure !== undefined) throw failure
    return !decisive
  }
}

function existsOne(parts: FoldParts): Run {
  return (frame) => {
    let count = 0
    each(frame, parts, () => {
      if (asBool(parts.body(frame))) count++
      return true
    })
    return count === 1
  }
}

function collect(parts: FoldParts, item: Run): Run {
  const { condition } = parts
  return (frame) => {
    const items: unknown[] = []
    frame.budget.spend(listCost)
    each(frame, parts, () => {
      if (condition !== undefined && !asBool(condition(frame))) return true
      frame.budget.spend(listCost)
      items.push(item(frame))
      return true
    })
    return new CelList(items)
  }
}

function collectMap(parts: FoldParts, add: (frame: Frame, map: LiteralMap) => void): Run {
  const { condition } = parts
  return (frame) => {
    const map = new LiteralMap()
    frame.budget.spend(mapCost)
    each(frame, parts, () => {
      if (condition === undefined || asBool(condition(frame))) add(frame, map)
      return true
    })
    return map
  }
}

function addEntry(parts: FoldParts): (frame: Frame, map: LiteralMap) => void {
  return (frame, map) => {
    const entry = parts.body(frame)
    if (!isMap(entry)) throw new EvaluationError('no such overload')
    for (const [key, value] of entry.entries())
      if (!map.add(key, value)) throw new EvaluationError(`insert failed: key ${String(key)} already exists`)
  }
}

function optional(parts: FoldParts, result: (value: unknown) => unknown): Run {
  return (frame) => {
    const given = parts.range(frame)
    if (!(given instanceof Optional)) throw new EvaluationError('no such overload')
    if (given.value === undefined) return Optional.none
    frame.slots[parts.slots[0]!] = given.value
    return result(parts.body(frame))
  }
}

function sortBy(parts: FoldParts): Run {
  return (frame) => {
    const keyed: { readonly item: unknown; readonly key: unknown }[] = []
    each(frame, parts, () => {
      keyed.push({ item: frame.slots[parts.slots[0]!], key: parts.body(frame) })
      return true
    })
    frame.budget.spend(keyed.length * keyed.length)
    return new CelList(keyed.sort((one, other) => compare(one.key, other.key)).map(({ item }) => item))
  }
}
