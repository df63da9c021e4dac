// The list of workloads that opted in by an annotation. The MutatingAdmissionPolicy reads it as its parameter: a policy sees a new pod and
// its namespace, but not the Deployment that the pod belongs to.
//
// The list is in annotations of a Role without rules. The API server has a cache of Roles for its authorizer, which it never stops. The
// cache of another kind is started for the first policy that has it as parameter, stops with the last one, also with a validating policy of
// another program, and is not started again until the API server restarts: a policy then finds no parameter.
//
// Guarantees: one write at a time; a change during a write is written by the next one; a failed write is tried again; a list that
// another client changed or deleted is repaired within `resyncMs`.
import { roles } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { OptIns } from '../../controllers/pacer/opt-ins.ts'

export interface OptInListOptions {
  readonly client: Client
  readonly clock: Clock
  readonly optIns: OptIns
  readonly namespace: string
  /** Of the Role. */
  readonly name: string
  onFailure(what: string, error: unknown): void
}

interface OptInList {
  /** Resolves when it has been written, or was found as it should be, for the first time. */
  readonly written: Promise<void>
  stop(): Promise<void>
}

/** Followed by the name of a namespace. */
export const listKeyPrefix = 'workloads.rollcall.dev/'
/** The Role is called after the policy. */
export const listNameOf = (policy: string): string => `${policy}-workloads`

/** Changes are collected for so long. */
const collectMs = 20
const retryMs = 2_000
const resyncMs = 5_000

/** The caches must have synced. */
export function startOptInList({ client, clock, optIns, namespace, name, onFailure }: OptInListOptions): OptInList {
  let cancel: CancelTimer = () => {}
  let dueMs = Number.POSITIVE_INFINITY
  let writing: Promise<void> | undefined
  let isChanged = false
  let isStopped = false
  let onWritten = () => {}
  const written = new Promise<void>((resolve) => {
    onWritten = resolve
  })

  const schedule = (delayMs: number) => {
    if (isStopped || clock.now() + delayMs >= dueMs) return
    cancel()
    dueMs = clock.now() + delayMs
    cancel = clock.after(delayMs, () => {
      dueMs = Number.POSITIVE_INFINITY
      writing = write()
        .then(
          () => {
            onWritten()
            return resyncMs
          },
          (error: unknown) => {
            onFailure(`writing Role ${namespace}/${name}`, error)
            return retryMs
          },
        )
        .then((nextMs) => {
          writing = undefined
          schedule(isChanged ? collectMs : nextMs)
        })
    })
  }
  const write = async () => {
    isChanged = false
    const wanted = new Map([...optIns.namespaces()].map((one) => [`${listKeyPrefix}${one}`, optIns.linesOf(one).join('\n')]))
    const role = await ignoring('NotFound', client.get(roles, { namespace, name }))
    if (role === undefined) {
      const metadata = { name, namespace, annotations: Object.fromEntries(wanted) }
      await client.create(roles, namespace, { metadata, rules: [] })
      return
    }
    const found = role.metadata.annotations ?? {}
    const annotations: Record<string, string | null> = {}
    for (const [key, lines] of wanted) if (found[key] !== lines) annotations[key] = lines
    for (const key of Object.keys(found)) if (key.startsWith(listKeyPrefix) && !wanted.has(key)) annotations[key] = null
    if (Object.keys(annotations).length > 0) await client.patch(roles, { namespace, name }, 'merge', { metadata: { annotations } })
  }
  optIns.onChange(() => {
    isChanged = true
    if (writing === undefined) schedule(collectMs)
  })
  schedule(0)
  return {
    written,
    async stop() {
      isStopped = true
      cancel()
      await writing
    },
  }
}
