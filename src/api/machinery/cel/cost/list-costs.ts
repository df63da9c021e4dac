// What the functions of the list and set libraries are estimated to cost.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.EstimateCallCost
// Kubernetes: github.com/google/cel-go/ext.estimateSetsCost
import type { CelType } from '../cel-type.ts'
import { parametersOf } from '../check/unification.ts'
import { type CallEstimate, type CallNode, type EstimatedCall, sizeOf } from './estimated-call.ts'
import { exactly, largest, one, product, type Range, scaled, sum } from './range.ts'

/** A call that makes a list of this size, at this cost for each item. */
const makes = (size: Range, factor = 1): CallEstimate => ({ cost: sum(scaled(size, factor), one, exactly(10)), size })

/** Undefined: it is not a function of these libraries. */
export function estimateListCall({ name, target, args }: EstimatedCall): CallEstimate | undefined {
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
