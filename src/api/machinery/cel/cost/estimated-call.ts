// A call whose cost is estimated, with what is known of its arguments.
// Kubernetes: github.com/google/cel-go/checker.AstNode, CallEstimate
import type { CelType } from '../cel-type.ts'
import type { FieldPath } from './field-path.ts'
import { type Range, unknownSize } from './range.ts'

/** An argument of a call, or its target. */
export interface CallNode {
  readonly type: CelType
  readonly path?: FieldPath
  readonly size?: Range
  /** The value of a literal int. */
  readonly literal?: bigint
}

export interface EstimatedCall {
  readonly name: string
  readonly target?: CallNode
  readonly args: readonly CallNode[]
  readonly argCosts: readonly Range[]
  readonly argCost: Range
  /** The size that the declared type at a path can have. */
  sizeAt(path: FieldPath | undefined): Range | undefined
}

export interface CallEstimate {
  readonly cost: Range
  /** The size of the result, where it is known. */
  readonly size?: Range
}

export const sizeOf = (node: CallNode): Range => node.size ?? unknownSize
