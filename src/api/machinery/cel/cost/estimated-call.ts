// A call whose cost is estimated, with what is known of its arguments.
// Kubernetes: github.com/google/cel-go/checker.AstNode, CallEstimate
import type { CelType } from '../cel-type.ts'
import { type Range, unknownSize } from './range.ts'

// The path from a variable to a value: `self.list[0].name` is self, list, @items, name.
// Kubernetes: github.com/google/cel-go/checker.coster.getPath, coster.addPath

interface Storage {
  readonly names: string[]
  readonly capacity: number
}

export interface FieldPath {
  readonly storage: Storage
  readonly length: number
}

/** Two paths that continue one path may share its storage, and then the later one changes the earlier one. Kubernetes' estimates depend on it:
 *  in `self.list.all(x, x.a.all(y, x.b == y))` the path of `x.a` reads as that of `x.b` when the size of the loop is asked for. The storage
 *  doubles when it is full: 1, 2, 4, 8, … names. */
export function append(path: FieldPath | undefined, name: string): FieldPath {
  if (path === undefined) return { storage: { names: [name], capacity: 1 }, length: 1 }
  const { storage, length } = path
  if (length < storage.capacity) {
    storage.names[length] = name
    return { storage, length: length + 1 }
  }
  return { storage: { names: [...storage.names.slice(0, length), name], capacity: storage.capacity * 2 }, length: length + 1 }
}

/** Continues the path without a change to others. */
export function appendToCopy({ storage, length }: FieldPath, name: string): FieldPath {
  return { storage: { names: [...storage.names.slice(0, length), name], capacity: length + 1 }, length: length + 1 }
}

export const namesOf = ({ storage, length }: FieldPath): readonly string[] => storage.names.slice(0, length)

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
