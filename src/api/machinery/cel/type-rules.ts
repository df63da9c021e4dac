// The types of literals and of names.
// Kubernetes: github.com/google/cel-go/checker.checker.checkIdent, checker.checkSelect, checker.checkCreateStruct
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  opaque,
  optionalOf,
  string,
  timestamp,
  typeType,
  uint,
} from './cel-type.ts'
import type { LiteralValue, Node } from './syntax.ts'
import { UnsignedInt } from './values.ts'

/** The types that have a name in expressions. */
export const namedTypes: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', bool],
  ['bytes', bytes],
  ['double', double],
  ['int', int],
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['null_type', nullType],
  ['string', string],
  ['type', typeType],
  ['uint', uint],
  ['optional_type', optionalOf(dyn)],
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ['net.IP', opaque('net.IP')],
  ['net.CIDR', opaque('net.CIDR')],
])

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
