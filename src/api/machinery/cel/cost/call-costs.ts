// What calls of functions are estimated to cost, and how large their results can be. The numbers are part of Kubernetes' API.
// Kubernetes: github.com/google/cel-go/checker.coster.functionCost
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.EstimateCallCost
import type { CelType } from '../cel-type.ts'
import { parametersOf } from '../check/unification.ts'
import type { Overload } from '../functions.ts'
import { appendToCopy, type CallEstimate, type CallNode, type EstimatedCall, sizeOf } from './estimated-call.ts'
import { exactly, largest, one, product, type Range, scaled, sum, union, unknownSize } from './range.ts'

const perCharacter = 0.1
const perPatternCharacter = 0.25
const oneCharacter = 1
/** The length of a regular expression that a named format can have. */
const formatPatternSize = 128
const formatNameSize = 64

/** The overload is undefined for the selection of an optional field. */
export function estimateCall(call: EstimatedCall, overload: Overload | undefined): CallEstimate {
  const own = overload === undefined ? undefined : (estimateListCall(call) ?? estimateLibraryCall(call, overload))
  if (own !== undefined) return { ...own, cost: sum(own.cost, call.argCost) }
  return overload === undefined ? { cost: sum(one, call.argCost) } : estimateStandardCall(call, overload)
}

const perText = (size: Range, factor = 1): Range => scaled(size, factor * perCharacter)

/** The functions of Kubernetes' libraries. Undefined: it is not one of them. */
function estimateLibraryCall(call: EstimatedCall, overload: Overload): CallEstimate | undefined {
  const { name, target, args } = call
  const [first] = args
  if (constant.has(name)) return { cost: one }
  switch (name) {
    case 'check':
      return { cost: exactly(350_000) }
    case 'fieldSelector':
    case 'labelSelector':
      return first === undefined ? undefined : { cost: selectorCost(sizeOf(first)) }
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target === undefined ? undefined : { cost: traversalCost(call, target) }
    case 'url':
    case 'jsonpatch.escapeKey':
      return first === undefined ? undefined : { cost: perText(sizeOf(first)), size: sizeOf(first) }
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target === undefined ? undefined : { cost: perText(sizeOf(target)), size: sizeOf(target) }
    case 'replace':
      return target === undefined || args.length < 2 ? undefined : replacement(target, first!, args[1]!)
    case 'split': {
      if (target === undefined) return undefined
      const size = sizeOf(target)
      // A negative limit is read as an unsigned number.
      const limit = args[1]?.literal
      return { cost: perText(size, 2), size: { min: 0, max: limit === undefined ? size.max : limit < 0n ? largest : Number(limit) } }
    }
    case 'join':
      return target === undefined ? undefined : joined(call, target)
    case 'find':
    case 'findAll':
      if (target === undefined || first === undefined) return undefined
      return { cost: matchCost(target, first), size: { min: 0, max: sizeOf(target).max } }
    case 'ip':
      if (overload.isMember) return { cost: one }
      return first === undefined ? undefined : { cost: perText(sizeOf(first)) }
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return first === undefined ? undefined : { cost: perText(sizeOf(first)) }
    case 'ip.isCanonical':
      return first === undefined ? undefined : { cost: perText(sizeOf(first), 2) }
    case 'containsIP':
    case 'containsCIDR': {
      if (first === undefined) return undefined
      const address = { min: 4, max: 16 }
      let cost = perText(sum(address, address))
      if (name === 'containsCIDR') cost = sum(cost, perText(address), one)
      return { cost: overload.args[1]?.kind === 'string' ? sum(cost, perText(sizeOf(first))) : cost }
    }
    case 'validate':
      return first === undefined ? undefined : { cost: scaled(perText(sizeOf(first)), formatPatternSize * perPatternCharacter) }
    case '_==_': {
      const cost = comparisonCost(args)
      return cost === undefined ? undefined : { cost }
    }
    default:
      return undefined
  }
}

const constant = new Set(
  [
    'serviceAccount path group resource subresource namespace name allowed reason error errored format.named',
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    'getScheme getHostname getHost getPort getEscapedPath getQuery',
  ].flatMap((names) => names.split(' ')),
)

/** The comparison of values of Kubernetes' types. Undefined: they are of other types. */
function comparisonCost([left, right]: readonly CallNode[]): Range | undefined {
  if (left?.type.kind !== 'opaque' || right?.type.kind !== 'opaque' || left.type.name !== right.type.name) return undefined
  const { name } = left.type
  if (name === 'optional_type') return undefined
  if (name === 'kubernetes.NamedFormat') return perText({ min: 1, max: formatNameSize })
  if (name === 'kubernetes.URL') return perText({ min: 1, max: right.size?.max ?? 1 })
  return one
}

function selectorCost(size: Range): Range {
  return sum(exactly(10), perText(size), scaled(scaled(size, 0.5), 50))
}

/** One step for each item, and one for each of its characters. */
function traversalCost(call: EstimatedCall, target: CallNode): Range {
  const item = itemOf(target)
  if (item === undefined) return perText(sizeOf(target))
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes'
  return product(sizeOf(target), isText ? sum(one, perText(declaredSize(call, item))) : one)
}

function itemOf({ type, path }: CallNode): CallNode | undefined {
  const [item] = parametersOf(type)
  if (item === undefined) return undefined
  return { type: item, ...(path !== undefined && { path: appendToCopy(path, '@items') }) }
}

const declaredSize = ({ sizeAt }: EstimatedCall, { path }: CallNode): Range => sizeAt(path) ?? unknownSize

function replacement(target: CallNode, old: CallNode, by: CallNode): CallEstimate {
  const [size, from, to] = [sizeOf(target), sizeOf(old), sizeOf(by)]
  const longest = (text: number, shortestOld: number): [number, number] => {
    if (shortestOld === 0) return [Math.min(text + 1, largest), text]
    return to.max <= shortestOld ? [0, text] : [Math.ceil(text / shortestOld), 0]
  }
  const shortest = (text: number, longestOld: number): [number, number] => {
    if (longestOld === 0) return [Math.min(text + 1, largest), text]
    return longestOld <= to.min ? [0, text] : [Math.ceil(text / longestOld), 0]
  }
  const [maxCount, maxKept] = longest(size.max, from.min)
  const [minCount, minKept] = shortest(size.min, from.max)
  const result = sum(product({ min: minCount, max: maxCount }, to), { min: minKept, max: maxKept })
  return { cost: perText(size, 2), size: result }
}

function joined(call: EstimatedCall, target: CallNode): CallEstimate {
  const count = sizeOf(target)
  const item = itemOf(target)
  let size = item === undefined ? exactly(0) : product(count, declaredSize(call, item))
  const [separator] = call.args
  if (separator !== undefined)
    size = sum(size, product(sizeOf(separator), { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }))
  return { cost: perText(size), size }
}

function matchCost(text: CallNode, pattern: CallNode): Range {
  return product(perText(sum(sizeOf(text), exactly(oneCharacter))), scaled(sizeOf(pattern), perPatternCharacter))
}

const isText = (type: CelType | undefined) => type?.kind === 'string' || type?.kind === 'bytes'

/** The functions and operators of the language itself. */
function estimateStandardCall(call: EstimatedCall, overload: Overload): CallEstimate {
  const { name, target, args, argCosts, argCost } = call
  const [left, right] = args as [CallNode, CallNode]
  const [firstType] = overload.args
  const plus = (cost: Range, size?: Range): CallEstimate => ({ cost: sum(cost, argCost), ...(size !== undefined && { size }) })
  switch (name) {
    case '_&&_':
    case '_||_':
      return { cost: { min: argCosts[0]!.min, max: argCost.max } }
    case '_?_:_':
      return { cost: sum(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)), size: union(sizeOf(right), sizeOf(args[2]!)) }
    case '_+_': {
      if (!isText(firstType) && firstType?.kind !== 'list') break
      const size = sum(sizeOf(left), sizeOf(right))
      return plus(isText(firstType) ? perText(size) : one, size)
    }
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      if (!isText(firstType)) break
      return plus(orderCost(left, right))
    case '_==_':
    case '_!=_':
      return plus(orderCost(left, right))
    case '@in':
      if (overload.args[1]?.kind !== 'list') break
      return plus(sizeOf(right))
    case 'format':
      return plus(perText(sizeOf(target!)))
    case 'startsWith':
    case 'endsWith':
      return plus(perText(sizeOf(left)))
    case 'contains':
      return plus(product(perText(sizeOf(target!)), perText(sizeOf(left))))
    case 'matches':
      if (target === undefined) break
      return plus(matchCost(target, left))
    case 'bytes': {
      if (firstType?.kind !== 'string') break
      const { min, max } = sizeOf(left)
      return plus(perText(sizeOf(left)), { min, max: Math.min(max * 4, largest) })
    }
    case 'string':
      if (firstType?.kind !== 'bytes') break
      return plus(perText(sizeOf(left)), { min: Math.floor(sizeOf(left).min / 4), max: sizeOf(left).max })
    case 'strings.quote': {
      const { min, max } = sizeOf(left)
      // The size of an unknown text overflows to 0.
      return plus(perText(sizeOf(left)), { min: min + 2, max: max >= largest ? 0 : max * 2 + 2 })
    }
    default:
      break
  }
  return plus(one)
}

/** The shorter of two decides how long a comparison can take. */
function orderCost(left: CallNode, right: CallNode): Range {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max)
  return perText({ min: max > 0 ? 1 : 0, max })
}

// What the functions of the list and set libraries are estimated to cost.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.EstimateCallCost
// Kubernetes: github.com/google/cel-go/ext.estimateSetsCost
/** A call that makes a list of this size, at this cost for each item. */
const makes = (size: Range, factor = 1): CallEstimate => ({ cost: sum(scaled(size, factor), one, exactly(10)), size })

/** Undefined: it is not a function of these libraries. */
function estimateListCall({ name, target, args }: EstimatedCall): CallEstimate | undefined {
  const [first, second] = args
  switch (name) {
    case 'slice': {
      if (target === undefined || args.length !== 2) return undefined
      const length = literalOr(second!, sizeOf(target).max) - literalOr(first!, 0)
      return makes(exactly(length < 0 ? largest + length : length))
    }
    case 'lists.range':
      return makes(exactly(literalOr(first!, largest)))
    case 'reverse':
      return target && makes(sizeOf(target))
    case 'flatten':
      return target && makes(sizeOf(target), first === undefined ? 1 : literalOr(first, largest))
    case 'distinct':
      return target && makes(product(sizeOf(target), sizeOf(target)), 2)
    case 'sort':
      return target && sorts(target)
    case '@sortByAssociatedKeys':
      return first && sorts(first)
    case 'sets.contains':
    case 'sets.intersects':
    case 'sets.equivalent':
      return { cost: sum(scaled(product(sizeOf(first!), sizeOf(second!)), name === 'sets.equivalent' ? 2 : 1), one) }
    default:
      return undefined
  }
}

function sorts(keys: CallNode): CallEstimate {
  const [key] = parametersOf(keys.type) as readonly [CelType?]
  const isText = key?.kind === 'string' || key?.kind === 'bytes' || key?.kind === 'dyn'
  return makes(product(sizeOf(keys), sizeOf(keys)), isText ? 2.1 : 2)
}

const literalOr = ({ literal }: CallNode, otherwise: number) => (literal === undefined ? otherwise : Math.max(0, Number(literal)))
