// The type of the objects of a kind, as the type checks of admission policies see it.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/validating.TypeChecker.declType
import { bool, bytes, type CelType, double, dyn, int, listOf, mapOf, type ObjectType, string, timestamp } from '../cel/cel-type.ts'
import type { Kind } from '../kind.ts'
import { type FieldType, type Scalar, structOf } from '../schema/schema.ts'
import { customObjectType, jsonNameOf } from './rule-types.ts'

const empty = (name: string): ObjectType => ({ kind: 'object', name, fieldOf: () => undefined })

/** Null: expressions cannot read it. OpenAPI gives a Quantity two types, and therefore none. */
const scalars: Readonly<Record<Exclude<Scalar, 'any'>, CelType | null>> = {
  string,
  bool,
  int32: int,
  int64: int,
  float64: double,
  bytes,
  Time: timestamp,
  MicroTime: timestamp,
  Quantity: null,
  IntOrString: dyn,
}

export function kindType(kind: Kind): CelType {
  const schema = kind.readSchema?.()
  if (schema !== undefined) return customObjectType(schema, kind.kind, structType('meta.ObjectMeta', `${kind.kind}.metadata`, new Set()))
  return kind.readSchema === undefined ? structType(kind.type, kind.kind, new Set()) : dyn
}

/** A struct inside of itself has no fields. */
function structType(struct: string, name: string, around: ReadonlySet<string>): ObjectType {
  if (around.has(struct)) return empty(name)
  const { byName, typeMeta } = structOf(struct)
  const inside = new Set([...around, struct])
  return {
    kind: 'object',
    name,
    fieldOf(field) {
      const jsonName = jsonNameOf(field)
      if (jsonName === undefined) return undefined
      if (typeMeta && (jsonName === 'kind' || jsonName === 'apiVersion')) return { type: string, jsonName }
      const declared = byName.get(jsonName)
      const type = declared === undefined || declared.or !== undefined ? null : fieldType(declared.type, `${name}.${field}`, inside)
      return type === null ? undefined : { type, jsonName }
    },
  }
}

function fieldType(type: FieldType, name: string, around: ReadonlySet<string>): CelType | null {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'any' ? empty(name) : scalars[type.scalar]
    case 'struct':
      return structType(type.name, name, around)
    case 'list': {
      const of = fieldType(type.of, `${name}.@idx`, around)
      return of === null ? null : listOf(of)
    }
    case 'map': {
      const of = fieldType(type.of, `${name}.@elem`, around)
      return of === null ? null : mapOf(string, of)
    }
  }
}
