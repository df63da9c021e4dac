// Converts the managedFields of an object to those of its Scale and back. A Scale has only the owners of the replicas. The identity
// of an owner includes its apiVersion (except for apply), which differs between the object and its Scale; so an update of the
// Scale always adds a new owner to the object, without a time.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields.ScaleHandler.*
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { hasPath } from '../../api/machinery/managed-fields/field-set.ts'
import { decodeOwners, newOwner, type Owner, ownerId, sortOwners } from '../../api/machinery/managed-fields/managers.ts'
import type { ManagedFieldsEntry } from '../../api/types.ts'

type Fields = Owner['fieldsV1']
type Entries = readonly ManagedFieldsEntry[]

const scaleVersion = 'autoscaling/v1'
const inScale = ['f:spec', 'f:replicas'] as const

type Path = readonly string[]

/** The field of an object that holds its replicas: `.spec.replicas`, except in custom resources. */
const pathIn = ({ replicasPath }: Pick<Kind, 'replicasPath'>): Path =>
  replicasPath === undefined
    ? inScale
    : replicasPath
        .split('.')
        .slice(1)
        .map((name) => `f:${name}`)

const setOf = (path: Path): Fields => path.reduceRight<Fields>((inner, element) => ({ [element]: inner }), {})
const owns = ({ fieldsV1 }: Owner, path: Path) => hasPath(fieldsV1, path)

/** The managedFields of the Scale of an object. */
export function ownersOfScale(kind: Kind, parent: Entries): readonly Owner[] {
  const path = pathIn(kind)
  return sortOwners(
    decodeOwners(parent)
      .filter((owner) => owns(owner, path))
      .map((owner) => newOwner({ ...owner, apiVersion: scaleVersion }, setOf(inScale), owner.time)),
  )
}

/** The managedFields of the object after a write of its Scale. */
export function ownersOfParent(kind: Kind, parent: Entries, scale: Entries): readonly Owner[] {
  const path = pathIn(kind)
  const apiVersion = apiVersionOf(kind)
  const writers = new Map(decodeOwners(scale).map((owner) => [ownerId(owner), owner]))
  const owners: Owner[] = []
  for (const owner of decodeOwners(parent)) {
    if (!owns(owner, path) || writers.delete(ownerId(owner))) owners.push(owner)
    else {
      const fieldsV1 = without(owner.fieldsV1, path)
      if (Object.keys(fieldsV1).length > 0) owners.push({ ...owner, fieldsV1 })
    }
  }
  for (const writer of writers.values()) if (owns(writer, inScale)) owners.push(newOwner({ ...writer, apiVersion }, setOf(path), undefined))
  return sortOwners(owners)
}

/** A struct of which only `.` is left, which means ownership of the struct itself, is kept as an empty one. */
function without(fields: Fields, [first = '', ...rest]: Path): Fields {
  const { [first]: inner = {}, ...others } = fields
  const left = rest.length === 0 ? {} : without(inner, rest)
  const names = Object.keys(left)
  if (names.length === 0) return others
  return { ...others, [first]: names.length === 1 && names[0] === '.' ? {} : left }
}
