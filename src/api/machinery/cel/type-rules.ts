// Rules about types that need no names: those of literals, of the variables and results of macros.
import {
  bool,
  bytes,
  type CelType,
  double,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  optionalElement,
  optionalOf,
  string,
  uint,
} from './cel-type.ts'
import type { Fold, LiteralValue, Node } from './syntax.ts'
import { UnsignedInt } from './values.ts'

/** The types that have a name in expressions. */
export const namedTypes = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
  'optional_type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.URL',
  'kubernetes.NamedFormat',
  'net.IP',
  'net.CIDR',
])

export const predicateName = ({ fold }: Fold) => (fold === 'all' ? '_&&_' : fold === 'exists' ? '_||_' : '_?_:_')

export function foldVariables({ fold, variables }: Fold, range: CelType): CelType[] | undefined {
  if (fold === 'optMap' || fold === 'optFlatMap') {
    const element = range.kind === 'dyn' ? dyn : optionalElement(range)
    return element === undefined ? undefined : [element]
  }
  if (range.kind === 'dyn') return variables.map(() => dyn)
  if (range.kind === 'list') return variables.length === 1 ? [range.of] : [int, range.of]
  return range.kind === 'map' ? [range.key, range.of] : undefined
}

export function foldType({ fold }: Fold, range: CelType, variables: readonly CelType[], body: CelType): CelType {
  switch (fold) {
    case 'map':
    case 'transformList':
      return listOf(body)
    case 'filter':
      return listOf(variables[0]!)
    case 'sortBy':
      return range
    case 'transformMap':
      return mapOf(variables[0]!, body)
    case 'transformMapEntry':
      return body.kind === 'map' ? body : dyn
    case 'optMap':
      return optionalOf(body)
    case 'optFlatMap':
      return body
    default:
      return bool
  }
}

export function literalType(value: LiteralValue): CelType {
  if (value === null) return nullType
  if (value instanceof UnsignedInt) return uint
  if (value instanceof Uint8Array) return bytes
  return { string, bigint: int, number: double, boolean: bool }[typeof value as 'string' | 'bigint' | 'number' | 'boolean']
}

/** `sets`, `a.b.c`: a name that may be that of a function or type. */
export function qualifiedName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name
  if (node.kind !== 'select' || node.optional || node.testOnly) return undefined
  const prefix = qualifiedName(node.operand)
  return prefix === undefined ? undefined : `${prefix}.${node.field}`
}
