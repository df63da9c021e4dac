// Removes the fields that a schema does not declare, and nulls that it does not allow.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning.PruneWithOptions, prune
import { isJsonObject, setOwnValue } from '../json-object.ts'
import type { JsonSchema } from './definition.ts'

/** Fields that every object has, also where its schema does not declare them. */
const typeMetaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

type Fields = Record<string, unknown>

/**
 * A copy without undeclared fields. Parts without a schema are shared with the value. Calls `onUnknown` with the path of each field that was
 * removed.
 */
export function prune(schema: JsonSchema | undefined, value: unknown, onUnknown: (path: string) => void): unknown {
  return pruneValue(schema, value, { inKeptList: false, keepsNulls: false, onUnknown }, '')
}

/** The fields of an object of the kind, without its type and metadata, which `keep` takes over. */
export function pruneRoot(schema: JsonSchema | undefined, value: Fields, keepsNulls: boolean, onUnknown: (path: string) => void): Fields {
  return pruneFields(schema ?? {}, value, true, { inKeptList: false, keepsNulls, onUnknown }, '')
}

interface Options {
  /** The value is in a list that keeps unknown fields. */
  readonly inKeptList: boolean
  /** Nulls stay where the schema does not allow them. */
  readonly keepsNulls: boolean
  onUnknown(path: string): void
}

const keepsUnknown = (schema: JsonSchema) => schema['x-kubernetes-preserve-unknown-fields'] === true

function pruneValue(schema: JsonSchema | undefined, value: unknown, options: Options, path: string): unknown {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    const within = keepsUnknown(schema) ? { ...options, inKeptList: true } : options
    return value.map((item, at) => pruneValue(items, item, within, `${path}[${at}]`))
  }
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  return isJsonObject(value) ? pruneFields(schema, value, isResource, options, path) : value
}

function pruneFields(schema: JsonSchema, value: Fields, isResource: boolean, options: Options, path: string): Fields {
  const { properties, additionalProperties } = schema
  const { inKeptList, keepsNulls, onUnknown } = options
  const keepsAll = inKeptList || keepsUnknown(schema) || additionalProperties === true
  const within = inKeptList ? { ...options, inKeptList: false } : options
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const result: Fields = {}
  for (const name in value) {
    const member = value[name]
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : rest
    const inner = path === '' ? name : `${path}.${name}`
    // As in Kubernetes, such a null counts as absent. One with a default is replaced later.
    if (!keepsNulls && declared !== undefined && member === null && declared.nullable !== true && declared.default === undefined) continue
    if (isResource && typeMetaFields.has(name)) setOwnValue(result, name, member)
    else if (declared !== undefined) setOwnValue(result, name, pruneValue(declared, member, within, inner))
    else if (keepsAll) setOwnValue(result, name, member)
    else onUnknown(inner)
  }
  return result
}
