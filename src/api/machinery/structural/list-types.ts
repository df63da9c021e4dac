// Lists of list type set and map hold nothing twice.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype.ValidateListSetsAndMaps, validateListSet, validateListMap

import { isEqualJson } from '../../../base/json.ts'
import { duplicate, type FieldError, invalid, mapValue } from '../field-error.ts'
import { isJsonObject } from '../json-object.ts'
import type { JsonSchema } from './definition.ts'
import { anywhereIn } from './schema-search.ts'

const hasListTypes = anywhereIn(({ 'x-kubernetes-list-type': listType }) => listType === 'set' || listType === 'map')

export function validateListTypes(schema: JsonSchema, value: unknown, path: string, errors: FieldError[]): void {
  if (!hasListTypes(schema)) return
  if (Array.isArray(value)) {
    const listType = schema['x-kubernetes-list-type']
    if (listType === 'set') checkSet(value, path, errors)
    else if (listType === 'map') checkKeys(schema, value, path, errors)
    const { items } = schema
    if (items !== undefined) for (const [at, item] of value.entries()) validateListTypes(items, item, `${path}[${at}]`, errors)
    return
  }
  if (!isJsonObject(value)) return
  const { properties, additionalProperties } = schema
  for (const name of Object.keys(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (typeof declared === 'object') validateListTypes(declared, value[name], inner, errors)
  }
}

function checkSet(list: readonly unknown[], path: string, errors: FieldError[]): void {
  const seen = new Set<string>()
  for (const [at, item] of list.entries()) {
    const key = typeof item === 'object' ? JSON.stringify(item) : `${typeof item} ${String(item)}`
    if (seen.has(key) || (typeof item === 'object' && list.slice(0, at).some((other) => isEqualJson(item, other))))
      errors.push(duplicate(`${path}[${at}]`, item))
    seen.add(key)
  }
}

function checkKeys(schema: JsonSchema, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const seen = new Set<string>()
  for (const [at, item] of list.entries()) {
    if (!isJsonObject(item)) {
      errors.push(invalid(`${path}[${at}]`, item, 'must be an object for an array of list-type map'))
      continue
    }
    const named = Object.fromEntries(
      keys.flatMap((key) => {
        const value = item[key] ?? schema.items?.properties?.[key]?.default
        return value === undefined ? [] : [[key, value]]
      }),
    )
    const id = JSON.stringify(keys.map((key) => named[key] ?? null))
    if (seen.has(id)) errors.push(duplicate(`${path}[${at}]`, mapValue(named)))
    seen.add(id)
  }
}
