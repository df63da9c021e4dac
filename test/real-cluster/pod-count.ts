// Counts the pods of an app at every watch event, so that a limit that is broken for a moment is noticed too.
import { pods } from '../../src/api/kinds.ts'
import type { Pod } from '../../src/api/types.ts'
import { realClock } from '../../src/base/clock.ts'
import type { Client } from '../../src/client/client.ts'
import { Informer } from '../../src/runtime/informer.ts'

export interface PodCount {
  /** The most pods at once that had not terminated, terminating ones included. */
  readonly peak: number
  /** The most pods at once that were not asked to terminate. */
  readonly activePeak: number
  /** The most pods at once that were not asked to terminate, of the owner that had the most. */
  readonly ownerPeak: number
  /** Pods by uid that were ever observed. */
  readonly observed: ReadonlySet<string>
  stop(): void
}

const hasTerminated = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Resolves when the pods that exist have been counted. After a dropped watch it goes on where it was. */
export async function countPods(client: Client, app: string, namespace = 'default'): Promise<PodCount> {
  const informer = new Informer({ client, resource: pods, clock: realClock, namespace, labelSelector: `app=${app}` })
  let peak = 0
  let activePeak = 0
  let ownerPeak = 0
  const observed = new Set<string>()
  informer.onChange((current) => {
    if (current !== undefined) observed.add(current.metadata.uid)
    const alive = [...informer.values()].filter((pod) => !hasTerminated(pod))
    const active = alive.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const owners = new Map<string, number>()
    for (const { metadata } of active) {
      const owner = metadata.ownerReferences?.[0]?.uid ?? ''
      owners.set(owner, (owners.get(owner) ?? 0) + 1)
    }
    peak = Math.max(peak, alive.length)
    activePeak = Math.max(activePeak, active.length)
    ownerPeak = Math.max(ownerPeak, ...owners.values())
  })
  informer.start()
  await informer.synced
  return {
    get peak() {
      return peak
    },
    get activePeak() {
      return activePeak
    },
    get ownerPeak() {
      return ownerPeak
    },
    observed,
    stop: () => informer.stop(),
  }
}
