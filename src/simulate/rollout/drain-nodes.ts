// Drains nodes as `kubectl drain` does, and evicts pods as every client does that waits for disruption budgets.
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError, type StatusError } from '../../api/machinery/status-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Stage } from './run-steps.ts'

const fieldManager = 'rollcall-simulate'
/** As `kubectl drain` waits when a disruption budget refuses, and when it waits until a pod has terminated. */
const evictAgainMs = 5000
const pollMs = 1000

const pause = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

interface PodName {
  readonly namespace: string
  readonly name: string
}

/** Resolves when the eviction has passed. */
export async function evict({ cluster, clock, policy, refusals }: Stage, { namespace, name }: PodName): Promise<void> {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const key = `${namespace}/${name}`
  for (;;)
    try {
      const waitMs = policy === 'Pacer+evictions' ? await cluster.reviewEviction({ namespace, name }) : undefined
      if (waitMs !== undefined) {
        refusals.set(key, 'its replacement is not available')
        await pause(clock, waitMs)
        continue
      }
      await cluster.client.createSubresource(podKind, { namespace, name }, 'eviction', body)
      refusals.delete(key)
      return
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return
      if (!isStatusError(error, 'TooManyRequests')) throw error
      refusals.set(key, budgetIn(error))
      await pause(clock, evictAgainMs)
    }
}

/** `The disruption budget web needs 1 healthy pods and has 1 currently` names the budget. */
function budgetIn({ status }: StatusError): string {
  const cause = status.details?.causes?.[0]?.message ?? ''
  const [, name] = /disruption budget (\S+)/.exec(cause) ?? []
  return name === undefined ? 'a disruption budget' : `budget ${name}`
}

const cordon = ({ cluster }: Stage, node: string, isCordoned: boolean) =>
  cluster.client.patch(nodeKind, { name: node }, 'merge', { spec: { unschedulable: isCordoned ? true : null } }, { fieldManager })

const podsOn = ({ recorder }: Stage, node: string) => {
  const daemons = recorder.daemonOwners
  return recorder.pods.filter((pod) => pod.node === node && !pod.hasEnded && !daemons.has(pod.owner ?? ''))
}

/** Resolves when all evictions have passed. */
export async function drain(stage: Stage, node: string): Promise<void> {
  await cordon(stage, node, true)
  await Promise.all(podsOn(stage, node).map((pod) => evict(stage, pod)))
}

/** Resolves when the nodes have no pod any more. One by one, each is schedulable again before the next is drained. */
export async function drainNodes(stage: Stage, nodes: readonly string[], isOneByOne: boolean): Promise<void> {
  const { recorder, clock } = stage
  const drainWhole = async (node: string) => {
    recorder.step(`drain ${node}`, true, clock.now(), 'begins')
    await drain(stage, node)
    while (podsOn(stage, node).length > 0) await pause(clock, pollMs)
    recorder.step(`${node} is drained`, true, clock.now(), 'ends')
    if (isOneByOne) await cordon(stage, node, false)
  }
  if (isOneByOne) for (const node of nodes) await drainWhole(node)
  else await Promise.all(nodes.map(drainWhole))
}

const shownRefusals = 5

/** Which pods could not be evicted, and why. */
export function describeRefusals(refusals: ReadonlyMap<string, string>): string {
  if (refusals.size === 0) return 'pods are still terminating'
  const shown = [...refusals].slice(0, shownRefusals).map(([pod, why]) => `${pod} (${why})`)
  const more = refusals.size - shown.length
  return `pods that cannot be evicted: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
