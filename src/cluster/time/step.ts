// Counts what happened in a step of time.
import { findKind } from '../../api/kind-names.ts'
import { coreEvents, pods } from '../../api/kinds.ts'
import { badRequestError, isStatusError } from '../../api/machinery/status-error.ts'
import type { CoreEvent, KubernetesObject, Pod } from '../../api/types.ts'
import { addCount } from '../../base/maps.ts'
import type { Client } from '../../client/client.ts'
import { storageOf } from '../../server/rest/scope.ts'
import type { Store, StoredRecord, StoreEvent } from '../../store/store.ts'

export interface StepSummary {
  /** Writes of objects, without heartbeats of nodes. */
  readonly writes: number
  /** `started`: pods that became Running. */
  readonly pods: Readonly<Record<'created' | 'started' | 'succeeded' | 'failed' | 'deleted', number>>
  /** Warnings by their reasons. */
  readonly warnings: Readonly<Record<string, number>>
}

interface SummaryTaker {
  /** Called at every write that is neither a heartbeat nor an Event. */
  onChange: () => void
  take(): StepSummary
  stop(): void
}

const podPrefix = `${storageOf(pods)}/`
const eventPrefix = `${storageOf(coreEvents)}/`
const background = ['leases.coordination.k8s.io/', 'nodes/']

export function watchStep(store: Store): SummaryTaker {
  const changes = { created: 0, started: 0, succeeded: 0, failed: 0, deleted: 0 }
  const warnings = new Map<string, number>()
  let writes = 0
  const countPod = ({ type, record, previous }: StoreEvent) => {
    if (previous === undefined) changes.created++
    if (type === 'delete') changes.deleted++
    const phase = phaseOf(record)
    if (phase === phaseOf(previous)) return
    if (phase === 'Running') changes.started++
    if (phase === 'Succeeded') changes.succeeded++
    if (phase === 'Failed') changes.failed++
  }
  const countEvent = ({ type, record, previous }: StoreEvent) => {
    if (type === 'delete') return
    const event = JSON.parse(record.value) as CoreEvent
    const before = previous === undefined ? 0 : ((JSON.parse(previous.value) as CoreEvent).count ?? 1)
    const reason = event.reason ?? ''
    if (event.type === 'Warning') addCount(warnings, reason, Math.max(1, (event.count ?? 1) - before))
  }
  const stop = store.watch('', store.revision, (events) => {
    for (const event of events) {
      const { key } = event.record
      if (background.some((prefix) => key.startsWith(prefix))) continue
      writes++
      if (key.startsWith(eventPrefix)) countEvent(event)
      else taker.onChange()
      if (key.startsWith(podPrefix)) countPod(event)
    }
  })
  const taker: SummaryTaker = {
    onChange() {},
    take: () => ({ writes, pods: { ...changes }, warnings: Object.fromEntries([...warnings].sort(([a], [b]) => (a < b ? -1 : 1))) }),
    stop,
  }
  return taker
}

const phaseOf = (record: StoredRecord | undefined) => record && (JSON.parse(record.value) as Pod).status?.phase

// The condition at which a step of time ends early.
/** A condition of an object, as in `kubectl wait --for=condition`, or `deleted`. */
export interface StepGoal {
  /** `deployment/web`. */
  readonly object: string
  /** Default `default`. */
  readonly namespace?: string
  /** Such as `Available`; case does not matter. */
  readonly condition: string
}

interface Conditioned extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Throws a StatusError for an invalid name or an unknown kind. */
export function readGoal(client: Client, { object, namespace = 'default', condition }: StepGoal): () => Promise<boolean> {
  const slash = object.indexOf('/')
  const kind = slash < 0 ? undefined : findKind(object.slice(0, slash))
  const name = object.slice(slash + 1)
  if (slash <= 0 || name === '') throw badRequestError(`cannot wait for ${JSON.stringify(object)}: write KIND/NAME, such as deployment/web`)
  if (kind === undefined)
    throw badRequestError(`cannot wait for ${JSON.stringify(object)}: there is no kind ${JSON.stringify(object.slice(0, slash))}`)
  const ref = kind.namespaced ? { namespace, name } : { name }
  const wanted = condition.toLowerCase()
  return async () => {
    try {
      const found = (await client.get(kind, ref)) as Conditioned
      if (wanted === 'deleted') return false
      const { observedGeneration, conditions = [] } = found.status ?? {}
      if (observedGeneration !== undefined && observedGeneration < (found.metadata?.generation ?? 0)) return false
      return conditions.some(({ type, status }) => type.toLowerCase() === wanted && status === 'True')
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
      return wanted === 'deleted'
    }
  }
}
