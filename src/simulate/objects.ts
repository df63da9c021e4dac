// Reads kinds and objects that tests name.

import { findKind } from '../api/kind-names.ts'
import { kinds } from '../api/kinds.ts'
import { apiVersionOf, type Kind } from '../api/machinery/kind.ts'
import type { KubernetesObject } from '../api/types.ts'

/** `deployment`, `deployments`, `deploy`, `Deployment`, `deployments.apps`. */
export function kindNamed(name: string): Kind {
  const kind = findKind(name)
  if (kind === undefined) throw new Error(`Cannot find kind "${name}": the server has no such kind`)
  return kind
}

/** `deployment/web`. */
export function readWorkload(text: string): { readonly kind: Kind; readonly name: string } {
  const [kindName = '', name = '', ...more] = text.split('/')
  if (name === '' || more.length > 0) throw new Error(`Cannot read "${text}": write a kind and a name, such as deployment/web`)
  return { kind: kindNamed(kindName), name }
}

export function kindOfObject({ apiVersion = '', kind = '' }: KubernetesObject): Kind {
  const found = kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
  if (found === undefined) throw new Error(`Cannot apply an object of kind "${kind}" in "${apiVersion}": the server has no such kind`)
  return found
}

/** Reads YAML documents, objects, and the items of lists. */
export async function readObjects(input: string | object | readonly object[]): Promise<KubernetesObject[]> {
  if (typeof input === 'string') {
    const { parseAllDocuments } = await import('yaml')
    const documents = [...parseAllDocuments(input)]
    for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0]
    return readObjects(documents.map((document) => document.toJS() as object | null).filter((object) => object !== null))
  }
  const objects = (Array.isArray(input) ? input : [input]) as (KubernetesObject & { readonly items?: readonly object[] })[]
  const lists = await Promise.all(objects.map((object) => (object.kind === 'List' ? readObjects(object.items ?? []) : [object])))
  return lists.flat()
}
