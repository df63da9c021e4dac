// Who owns the replicas: in the managedFields of an object among much else, in those of its Scale alone.
import type { ManagedFieldsEntry } from '../../api/types.ts'

type Fields = Readonly<Record<string, unknown>>

const scaleVersion = 'autoscaling/v1'
const replicasOnly = { 'f:spec': { 'f:replicas': {} } }

const specOf = ({ fieldsV1 }: ManagedFieldsEntry) => ((fieldsV1 as Fields | undefined)?.['f:spec'] ?? {}) as Fields
const ownsReplicas = (entry: ManagedFieldsEntry) => Object.hasOwn(specOf(entry), 'f:replicas')
const isSameOwner = (a: ManagedFieldsEntry, b: ManagedFieldsEntry) =>
  a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource

/** The entries of an object as its Scale shows them. */
export function ownersOfScale(parent: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return parent.filter(ownsReplicas).map((entry) => ({ ...entry, apiVersion: scaleVersion, fieldsV1: replicasOnly }))
}

/** The entries of the object after its Scale was written with these. */
export function ownersOfParent(
  parent: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  apiVersion: string,
): ManagedFieldsEntry[] {
  const kept = parent.flatMap((entry) => {
    if (!ownsReplicas(entry)) return [entry]
    const still = scale.find((one) => isSameOwner(one, entry))
    if (still !== undefined) return [{ ...entry, ...(still.time !== undefined && { time: still.time }) }]
    const left = withoutReplicas(entry)
    return left === undefined ? [] : [left]
  })
  const added = scale
    .filter((one) => !parent.some((entry) => ownsReplicas(entry) && isSameOwner(one, entry)))
    .map((one) => ({ ...one, apiVersion, fieldsV1: replicasOnly }))
  return [...kept, ...added]
}

function withoutReplicas(entry: ManagedFieldsEntry): ManagedFieldsEntry | undefined {
  const { 'f:replicas': _, ...spec } = specOf(entry)
  const { 'f:spec': __, ...rest } = entry.fieldsV1 as Fields
  // A struct that says only that it is there, `.`, still says something.
  const fieldsV1 = Object.keys(spec).length > 0 ? { ...rest, 'f:spec': spec } : rest
  return Object.keys(fieldsV1).length > 0 ? { ...entry, fieldsV1 } : undefined
}
