// Parts of an object that a write through another endpoint keeps: the status, the spec, fields of metadata.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeUpdate
import { isEqualJson } from '../../base/json.ts'
import { decode } from './decode/decode.ts'
import { replaceFields } from './fields.ts'
import type { Strategy, StrategyContext } from './kind.ts'
import type { KubernetesObject, ObjectMeta, Writable } from './types.ts'

interface WithStatus extends KubernetesObject {
  readonly spec?: unknown
  readonly status?: unknown
}

type Loose = { spec?: unknown; status?: unknown; metadata?: Writable<ObjectMeta> }

/** The status that an ordinary write may not change. */
export function keepStatus<T extends WithStatus>(next: Writable<T>, current: T): void {
  const target = next as Loose
  if (current.status === undefined) delete target.status
  else target.status = current.status
}

/** The spec that a write of the status may not change. */
export function keepSpec<T extends WithStatus>(next: Writable<T>, current: T): void {
  ;(next as Loose).spec = current.spec
}

export function keepMetadata<T extends WithStatus>(next: Writable<T>, current: T, names: readonly (keyof ObjectMeta)[]): void {
  const target = next as Loose
  if (names.every((name) => target.metadata?.[name] === current.metadata?.[name])) return
  const kept = Object.fromEntries(names.map((name) => [name, current.metadata?.[name]]))
  target.metadata = replaceFields('meta.ObjectMeta', target.metadata, kept) as Writable<ObjectMeta>
}

/** Fields that Kubernetes restores in a write of the status of some kinds. */
const metadataBesideStatus = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** The preparation of a status write that changes the status only: neither the spec nor the metadata. Other metadata is `kept` too. */
export function onlyStatus<T extends WithStatus>(
  kept: readonly (keyof ObjectMeta)[] = [],
): Required<Pick<Strategy<T>, 'prepareForStatusUpdate' | 'resetFields'>> {
  const names = [...metadataBesideStatus, ...kept]
  return {
    prepareForStatusUpdate(next, current) {
      keepSpec(next, current)
      keepMetadata(next, current, names)
    },
    resetFields: { status: { 'f:metadata': {}, 'f:spec': {} } },
  }
}

export function isSpecChanged(next: WithStatus, current: WithStatus): boolean {
  return !isEqualJson(next.spec, current.spec)
}

type DropDisabled<T> = (next: Writable<T>, current: T | undefined, context: StrategyContext) => void

/**
 * The preparation of a kind with a status subresource: new objects have an empty status of the struct `statusType`, and each endpoint keeps
 * what only the other writes. `dropDisabled` takes out the fields whose feature is off, unless the stored object has them.
 */
export function ownStatus<T extends WithStatus>(
  statusType: string,
  dropDisabled?: DropDisabled<T>,
): Required<Pick<Strategy<T>, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate'>> {
  return {
    prepareForCreate(object, context) {
      ;(object as Loose).status = decode(statusType, {}).object
      dropDisabled?.(object, undefined, context)
    },
    prepareForUpdate(next, current, context) {
      keepStatus(next, current)
      dropDisabled?.(next, current, context)
    },
    prepareForStatusUpdate: keepSpec,
  }
}
