// The short way of an update: of a caller whose objects are well formed by their types, and who changes what it has read.
// That it has read the newest version, and leaves the rest as it was, is seen by identity, as objects are never changed;
// so there is nothing to decode, to fill in or to validate.
import type { Kind } from '../../api/kind.ts'
import { structOf } from '../../api/schema/schema.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { RevisionConflictError } from '../../store/store.ts'
import { chargeQuotas } from './admit.ts'
import { Entry } from './entry.ts'
import type { NewObject } from './input.ts'
import type { Input } from './rest.ts'
import { isUnchanged } from './same-object.ts'
import { entryOf, keyOf, type Scope, strategyContext } from './scope.ts'
import { countGeneration, type UpdateTarget } from './update-rules.ts'

type Fields = Readonly<Record<string, unknown>>
type WithParts = KubernetesObject & { readonly spec?: object; readonly status?: object }

/** Undefined: it has to go the long way, which also tells what is wrong with it. */
export async function updateTrusted(scope: Scope, target: UpdateTarget, input: Input): Promise<Entry | undefined> {
  const { kind, namespace, name, subresource } = target
  if (!('object' in input) || kind.strategy.defaultBesideSpec === undefined) return undefined
  if (scope.tracksFields?.(kind, subresource) !== false) return undefined
  const key = keyOf(kind, namespace, name)
  const record = scope.store.get(key)
  if (record === undefined) return undefined
  const entry = entryOf(scope, kind, record)
  const current = entry.object
  // What is on its way out may go with this write.
  if (current.metadata?.deletionTimestamp !== undefined) return undefined
  const next = planNext(scope, target, input.object as WithParts, current)
  if (next === undefined) return undefined
  if (isUnchanged(next, current)) return entry
  const release = chargeQuotas(scope, kind, next, false, current, subresource)
  try {
    return entryOf(scope, kind, await scope.store.put(key, record.revision, { source: new Entry(kind, scope.parsed, undefined, next) }))
  } catch (error) {
    if (error instanceof RevisionConflictError) return undefined
    throw error
  } finally {
    release()
  }
}

function planNext(scope: Scope, { kind, subresource }: UpdateTarget, given: WithParts, current: WithParts): NewObject | undefined {
  const isStatus = subresource === 'status'
  if (!isStatus && subresource !== undefined) return undefined
  // Who leaves the managedFields out, leaves them as they are.
  const { managedFields = current.metadata?.managedFields } = given.metadata ?? {}
  if (managedFields !== current.metadata?.managedFields || !isSameBut(freeMetadata, given.metadata, current.metadata)) return undefined
  const metadata = { ...current.metadata, resourceVersion: '' } as NewObject['metadata']
  const annotations = given.metadata?.annotations
  if (annotations === undefined || Object.keys(annotations).length === 0) delete metadata.annotations
  else metadata.annotations = annotations as NonNullable<typeof metadata.annotations>
  if (isStatus) {
    if (given.spec !== current.spec || given.status === undefined) return undefined
    const next = { ...current, metadata, status: withoutZeros(kind, given.status as Fields) } as unknown as NewObject
    kind.strategy.prepareForStatusUpdate?.(next, current, strategyContext(scope))
    return next
  }
  if (!isSameBut(freeSpec, given.spec, current.spec)) return undefined
  const next = { ...current, metadata, spec: given.spec } as unknown as NewObject
  countGeneration(kind, next, current)
  return next
}

const freeMetadata: ReadonlySet<string> = new Set(['annotations', 'managedFields'])
const freeSpec: ReadonlySet<string> = new Set(['replicas'])

/** Whether no other field differs. */
function isSameBut(free: ReadonlySet<string>, a: object | undefined, b: object | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return a === b || (isSubset(a as Fields, b as Fields, free) && isSubset(b as Fields, a as Fields, free))
}

function isSubset(part: Fields, whole: Fields, free: ReadonlySet<string>): boolean {
  for (const field in part) if (part[field] !== whole[field] && !free.has(field)) return false
  return true
}

/** Of the status of each kind. */
const leftOutFields = new Map<string, ReadonlySet<string>>()

/** Numbers that are stored only when they are not zero. */
function leftOutOf({ type }: Kind): ReadonlySet<string> {
  let names = leftOutFields.get(type)
  if (names === undefined) {
    const status = structOf(type).byName.get('status')!.type as { readonly name: string }
    const numbers = structOf(status.name).fields.filter(({ type, always }) => !always && type.kind === 'scalar' && !type.pointer)
    names = new Set(numbers.map(({ name }) => name))
    leftOutFields.set(type, names)
  }
  return names
}

function withoutZeros(kind: Kind, status: Fields): Fields {
  const leftOut = leftOutOf(kind)
  const kept: Record<string, unknown> = {}
  for (const field in status) {
    const value = status[field]
    if (value !== undefined && (value !== 0 || !leftOut.has(field))) kept[field] = value
  }
  return kept
}
