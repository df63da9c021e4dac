// A pod is much like the one before it: whoever makes many, makes them of one text, with another name each. What was made of
// the spec of the last one, from decoding to validation, is not made again for a spec that is equal as it was sent.
import type { Creation } from '../../api/managed-fields/creation.ts'
import { appArmorAnnotation } from '../../api/strategies/app-armor.ts'
import type { LimitRange, ObjectMeta, Pod, PodSpec, PriorityClass } from '../../api/types.ts'
import { isSame } from '../../base/share-parts.ts'

/** What pods of a namespace are judged by beside themselves: the same arrays as long as nothing has changed. */
export interface PodRules {
  readonly limitRanges: readonly LimitRange[]
  readonly priorityClasses: readonly PriorityClass[]
}

export interface PodMould {
  /** As a client sent it, parsed. */
  readonly sent: SentPod
  readonly priorityClasses: PodRules['priorityClasses']
  /** As it was stored. No part of it ever changes. */
  readonly spec: PodSpec
  readonly status: NonNullable<Pod['status']>
  /** What a pod writes that has the same metadata too, but for its name. */
  readonly creation: Creation
  last?: PodCast
}

export interface FoundMould {
  readonly mould: PodMould
  /** Only the name is another. If not, the labels or annotations are, too, and make no difference to the spec. */
  readonly isWhole: boolean
}

/** What all pods of a mould have in common that one writer makes within a second. */
export interface PodCast {
  readonly manager: string
  /** Of their creation. */
  readonly time: string
  /** Of one of them, in order. */
  readonly metadata: ObjectMeta
  /** The text of each behind its revision. */
  readonly tail: string
}

interface SentPod {
  readonly metadata: Fields
  readonly spec: Fields
  readonly status?: Fields
}

type Fields = Readonly<Record<string, unknown>>

const mostMoulds = 256

export class PodMoulds {
  /** The last one of each namespace and owner. */
  readonly #moulds = new Map<string, PodMould>()

  /** What the last pod of its kind became, if the spec in `value`, a parsed body, would become the same. */
  find(namespace: string, value: unknown, rules: PodRules): FoundMould | undefined {
    if (rules.limitRanges.length > 0 || !isPod(value)) return undefined
    const mould = this.#moulds.get(groupOf(namespace, value))
    if (mould === undefined || mould.priorityClasses !== rules.priorityClasses) return undefined
    if (!isSame(value.spec, mould.sent.spec)) return undefined
    const isWhole = isSameFrame(value.metadata, mould.sent.metadata)
    return isWhole || (isIndependent(mould.sent) && isIndependent(value)) ? { mould, isWhole } : undefined
  }

  /** `pod` was made of `value`, as it is stored, and nothing in `value` was ignored. */
  keep(namespace: string, value: unknown, rules: PodRules, { spec, status }: Pod, creation: Creation): void {
    // They write into the annotations as well.
    if (rules.limitRanges.length > 0 || !isPod(value) || spec === undefined || status === undefined) return
    // A condition says when it came about.
    if (status.conditions !== undefined) return
    const group = groupOf(namespace, value)
    this.#moulds.delete(group)
    this.#moulds.set(group, { sent: value, priorityClasses: rules.priorityClasses, spec, status, creation })
    if (this.#moulds.size > mostMoulds) this.#moulds.delete(this.#moulds.keys().next().value!)
  }

  forgetAll(): void {
    this.#moulds.clear()
  }
}

/** Of the kind that clients create: nothing but its kind, its metadata and its spec. */
function isPod(value: unknown): value is SentPod {
  if (!isFields(value)) return false
  for (const field in value) {
    if (field === 'kind' || field === 'apiVersion' || field === 'metadata' || field === 'spec') continue
    if (field !== 'status' || !isEmptyFields(value[field])) return false
  }
  return isFields(value['metadata']) && isFields(value['spec'])
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

function isEmptyFields(value: unknown): boolean {
  if (!isFields(value)) return false
  for (const _ in value) return false
  return true
}

function groupOf(namespace: string, { metadata: { ownerReferences } }: SentPod): string {
  const owner: unknown = Array.isArray(ownerReferences) ? ownerReferences[0] : undefined
  return isFields(owner) ? `${namespace} ${String(owner['uid'])}` : namespace
}

/** Whether nothing in the spec is made of labels or annotations. */
function isIndependent({ metadata: { labels, annotations }, spec: { affinity, topologySpreadConstraints } }: SentPod): boolean {
  if (affinity !== undefined || topologySpreadConstraints !== undefined) return false
  for (const fields of [labels, annotations]) if (fields !== undefined && !isFields(fields)) return false
  for (const name in annotations as Fields) if (name.startsWith(appArmorAnnotation)) return false
  return true
}

/** Whether the two set the same fields, and give the same value to all but those that are the pod's own. */
function isSameFrame(one: Fields, other: Fields): boolean {
  let fields = 0
  for (const field in one) {
    fields++
    if (!(isOwn(field) ? typeof one[field] === 'string' && typeof other[field] === 'string' : isSame(one[field], other[field])))
      return false
    // Nobody owns an empty one.
    if (field === 'generateName' && !one[field] !== !other[field]) return false
  }
  for (const _ in other) fields--
  return fields === 0
}

const isOwn = (field: string) => field === 'name' || field === 'namespace' || field === 'generateName'
