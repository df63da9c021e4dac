// Converts the managedFields of an object to those of its Scale and back. A Scale has only the owners of spec.replicas. The identity
// of an owner includes its apiVersion (except for apply), which differs between the object and its Scale; so an update of the
// Scale always adds a new owner to the object, without a time.
import { decodeOwners, newOwner, type Owner, ownerId, sortOwners } from '../../api/machinery/managed-fields/managers.ts'
import type { ManagedFieldsEntry } from '../../api/types.ts'

type Fields = Owner['fieldsV1']
type Entries = readonly ManagedFieldsEntry[]

const scaleVersion = 'autoscaling/v1'
const replicasOnly: Fields = { 'f:spec': { 'f:replicas': {} } }

const specOf = ({ fieldsV1 }: Owner): Fields => fieldsV1['f:spec'] ?? {}
const ownsReplicas = (owner: Owner) => Object.hasOwn(specOf(owner), 'f:replicas')

/** The managedFields of the Scale of an object. */
export function ownersOfScale(parent: Entries): readonly Owner[] {
  return sortOwners(
    decodeOwners(parent)
      .filter(ownsReplicas)
      .map((owner) => newOwner({ ...owner, apiVersion: scaleVersion }, replicasOnly, owner.time)),
  )
}

/** The managedFields of the object after a write of its Scale. */
export function ownersOfParent(parent: Entries, scale: Entries, apiVersion: string): readonly Owner[] {
  const writers = new Map(decodeOwners(scale).map((owner) => [ownerId(owner), owner]))
  const owners: Owner[] = []
  for (const owner of decodeOwners(parent)) {
    if (!ownsReplicas(owner) || writers.delete(ownerId(owner))) owners.push(owner)
    else owners.push(...withoutReplicas(owner))
  }
  for (const writer of writers.values()) if (ownsReplicas(writer)) owners.push(newOwner({ ...writer, apiVersion }, replicasOnly, undefined))
  return sortOwners(owners)
}

function withoutReplicas(owner: Owner): Owner[] {
  const { 'f:replicas': _, ...spec } = specOf(owner)
  const { 'f:spec': __, ...rest } = owner.fieldsV1
  // A struct with only `.`, which means ownership of the struct itself, is kept.
  const fieldsV1 = Object.keys(spec).length > 0 ? { ...rest, 'f:spec': spec } : rest
  return Object.keys(fieldsV1).length > 0 ? [{ ...owner, fieldsV1 }] : []
}
