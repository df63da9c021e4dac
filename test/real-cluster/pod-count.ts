// Counts the pods of an app at every watch event, so that a limit that is broken for a moment is noticed too.
import { pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import type { Client } from '../../src/client/client.ts'
import { pause } from './running-command.ts'

const retryMs = 50

interface PodCount {
  /** The most pods at once that had not terminated, terminating ones included. */
  readonly peak: number
  /** Pods by uid that were ever observed. */
  readonly observed: ReadonlySet<string>
  stop(): void
}

const hasTerminated = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Resolves when the pods that exist have been counted. A watch that ends begins again with a list. */
export async function countPods(client: Client, app: string, namespace = 'default'): Promise<PodCount> {
  const selection = { namespace, labelSelector: `app=${app}` }
  const known = new Map<string, Pod>()
  const observed = new Set<string>()
  let peak = 0
  let isStopped = false
  let closeWatch = () => {}

  const note = (pod: Stored<Pod>) => {
    known.set(pod.metadata.uid, pod)
    observed.add(pod.metadata.uid)
  }
  const count = () => {
    peak = Math.max(peak, [...known.values()].filter((pod) => !hasTerminated(pod)).length)
  }
  const listAndWatch = async (): Promise<void> => {
    const { items, resourceVersion } = await client.list(pods, selection)
    if (isStopped) return
    known.clear()
    for (const pod of items) note(pod)
    count()
    closeWatch = client.watch(
      pods,
      { ...selection, resourceVersion },
      {
        onEvents(changes) {
          for (const { type, object } of changes) {
            if (type === 'BOOKMARK') continue
            note(object as Stored<Pod>)
            if (type === 'DELETED') known.delete(object.metadata.uid)
            count()
          }
        },
        onEnd: () => void again(),
      },
    )
  }
  const again = async (): Promise<void> => {
    while (!isStopped) {
      try {
        return await listAndWatch()
      } catch {
        await pause(retryMs)
      }
    }
  }

  await listAndWatch()
  return {
    get peak() {
      return peak
    },
    observed,
    stop() {
      isStopped = true
      closeWatch()
    },
  }
}
