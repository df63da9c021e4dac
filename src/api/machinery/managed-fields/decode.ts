// Decodes a `fieldsV1` that a client sent. Values that the server wrote are field sets already.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/fieldpath.Set.FromJSON, DeserializePathElement
import { isJsonObject } from '../json-object.ts'
import { emptySet, type FieldSet, type FieldSetInProgress, isEmptySet } from './field-set.ts'
import { compareElements, readElement } from './path-element.ts'

/** The set, in the form that all operations expect. Throws an Error when it is not one. */
export function decodeFieldSet(fieldsV1: unknown): FieldSet {
  if (fieldsV1 === undefined || fieldsV1 === null) return emptySet
  const set = decodeNode(fieldsV1)
  const { '.': _, ...root } = set
  return set['.'] === undefined ? set : root
}

function decodeNode(value: unknown): FieldSet {
  if (!isJsonObject(value)) throw new Error('ReadMapCB: expect { or n')
  const children: [string, FieldSet][] = []
  let isSelfIn = false
  for (const key of Object.keys(value)) {
    if (key === '.') {
      isSelfIn = true
      continue
    }
    const element = readElement(key)
    if (element !== undefined) children.push([element, decodeNode(value[key])])
  }
  if (children.length === 0) return emptySet
  children.sort(([one], [other]) => compareElements(one, other))
  const result: FieldSetInProgress = isSelfIn ? { '.': emptySet } : {}
  for (const [element, node] of children) {
    const twin = result[element]
    result[element] = twin === undefined || isEmptySet(twin) ? node : twin
  }
  return result
}
