// The ConfigMap with the workloads that opted in by an annotation. The MutatingAdmissionPolicy reads it as its parameter: a policy
// sees a new pod and its namespace, but not the Deployment that the pod belongs to.
//
// Guarantees: one write at a time; a change during a write is written by the next one; a failed write is tried again; a ConfigMap that
// someone else changed or deleted is repaired within `resyncMs`.
import { configMaps } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { OptIns } from '../../controllers/pacer/opt-ins.ts'

interface OptInListOptions {
  readonly client: Client
  readonly clock: Clock
  readonly optIns: OptIns
  readonly namespace: string
  readonly name: string
  onFailure(what: string, error: unknown): void
}

export interface OptInList {
  stop(): Promise<void>
}

/** Changes are collected for so long. */
const collectMs = 20
const retryMs = 2_000
const resyncMs = 60_000

/** The caches must have synced. */
export function startOptInList({ client, clock, optIns, namespace, name, onFailure }: OptInListOptions): OptInList {
  let cancel: CancelTimer = () => {}
  let dueMs = Number.POSITIVE_INFINITY
  let writing: Promise<void> | undefined
  let isChanged = false
  let isStopped = false

  const schedule = (delayMs: number) => {
    if (isStopped || clock.now() + delayMs >= dueMs) return
    cancel()
    dueMs = clock.now() + delayMs
    cancel = clock.after(delayMs, () => {
      dueMs = Number.POSITIVE_INFINITY
      writing = write()
        .then(
          () => resyncMs,
          (error: unknown) => {
            onFailure(`writing ConfigMap ${namespace}/${name}`, error)
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
    const wanted = new Map([...optIns.namespaces()].map((one) => [one, optIns.linesOf(one).join('\n')]))
    const found = await readData(client, { namespace, name })
    if (found === undefined) {
      await client.create(configMaps, namespace, { metadata: { name, namespace }, data: Object.fromEntries(wanted) })
      return
    }
    const data: Record<string, string | null> = {}
    for (const [one, lines] of wanted) if (found[one] !== lines) data[one] = lines
    for (const one of Object.keys(found)) if (!wanted.has(one)) data[one] = null
    if (Object.keys(data).length > 0) await client.patch(configMaps, { namespace, name }, 'merge', { data })
  }
  optIns.onChange(() => {
    isChanged = true
    if (writing === undefined) schedule(collectMs)
  })
  schedule(0)
  return {
    async stop() {
      isStopped = true
      cancel()
      await writing
    },
  }
}

async function readData(client: Client, ref: { namespace: string; name: string }): Promise<Readonly<Record<string, string>> | undefined> {
  const found = await ignoring('NotFound', client.get(configMaps, ref))
  return found && (found.data ?? {})
}
