// The element of a field set for an element of a list.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.listItemToPathElement, keyedAssociativeListItemToPathElement
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.setItemToPathElement
import { cached } from '../../../base/cached.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { isJsonObject } from '../json-object.ts'
import { keyElement, valueElement } from './path-element.ts'
import type { ListShape } from './shape.ts'

/** `k:{"name":"x"}` or `v:"x"`; undefined when the element cannot be distinguished from others. */
export function elementOf(list: ListShape, value: unknown): string | undefined {
  const { keys } = list
  if (keys.length === 0) return typeof value === 'object' || value === undefined ? undefined : valueElement(value)
  if (!isJsonObject(value)) return undefined
  if (keys.length === 1) {
    const { name, default: assumed } = keys[0]!
    const only = value[name] ?? assumed
    if (typeof only === 'string') return cachedElement(list, name, only)
    return only === undefined ? undefined : keyElement([[name, only]])
  }
  const fields: [string, unknown][] = []
  for (const key of keys) {
    const part = value[key.name] ?? key.default
    if (part !== undefined) fields.push([key.name, part])
  }
  return fields.length === 0 ? undefined : keyElement(fields)
}

// Names of containers and types of conditions are few; writing them out takes most of the comparison of two lists.
const elementsOf = new WeakMap<ListShape, (value: string) => string>()
const maxCached = 1000

const cachedElement = (list: ListShape, name: string, value: string): string =>
  getOrAdd(elementsOf, list, () => cached(maxCached, (one) => keyElement([[name, one]])))(value)

/** Why `elementOf` returned undefined. */
export function elementProblem(list: ListShape, value: unknown): string {
  if (list.keys.length === 0) {
    if (value === null) return "associative list without keys has an element that's an explicit null"
    return Array.isArray(value)
      ? 'not supported: associative list with lists as elements'
      : "associative list without keys has an element that's a map type"
  }
  if (value === null) return 'associative list with keys may not have a null element'
  if (!isJsonObject(value)) return 'associative list with keys may not have non-map elements'
  const names = list.keys.map(({ name }) => JSON.stringify(name)).join(' ')
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`
}
