// What `rollcall count` and `rollcall wait` print about a workload. Pure.
import { formatLength } from '../rollout/lengths.ts'
import type { OldestTerminating, WorkloadCount } from './workload-count.ts'

/** `deployment/web`, or `shop deployment/web` where there are several namespaces. */
export function nameOf({ workload, namespace }: WorkloadCount, hasNamespaces: boolean): string {
  const name = workload === undefined ? '(no workload)' : `${workload.kind.toLowerCase()}/${workload.name}`
  return hasNamespaces ? `${namespace} ${name}` : name
}

/** The first row is the header. The order is that of the counts. `namesNodes`: the names of nodes instead of their number. */
export function countRows(counts: readonly WorkloadCount[], hasNamespaces: boolean, namesNodes = false): string[][] {
  const header = ['WORKLOAD', 'REPLICAS', 'CAP', 'PODS', 'READY', 'OLD', 'TERMINATING', 'OVER CAP', 'NODES']
  const rows = counts.map((count) => {
    const { workload, pods, ready, old, terminating, overCap, nodes } = count
    const size = workload === undefined ? ['-', '-'] : [workload.replicas, workload.cap]
    const where = namesNodes && nodes.length > 0 ? nodes.join(',') : nodes.length
    return [nameOf(count, false), ...size, pods, ready, old, terminating, overCap === 0 ? 0 : `+${overCap}`, where].map(String)
  })
  const namespaces = ['NAMESPACE', ...counts.map(({ namespace }) => namespace)]
  return [header, ...rows].map((row, index) => (hasNamespaces ? [namespaces[index]!, ...row] : row))
}

/** A line for each workload with terminating pods: which is the oldest, and what holds it. */
export const terminatingLines = (counts: readonly WorkloadCount[], hasNamespaces: boolean): string[] =>
  counts.flatMap((count) => {
    const { terminating, oldestTerminating: oldest } = count
    if (oldest === undefined) return []
    const which = terminating === 1 ? `${oldest.name} has been terminating` : `${terminating} pods are terminating, ${oldest.name}`
    return [`${nameOf(count, hasNamespaces)}: ${which} for ${describeOldest(oldest)}`]
  })

function describeOldest({ terminatingMs, graceMs, heldBy }: OldestTerminating): string {
  const overdue = terminatingMs > graceMs ? ', which has passed' : ''
  return `${wholeSeconds(terminatingMs)} of a grace period of ${wholeSeconds(graceMs)}${overdue}${heldBy === undefined ? '' : `; it is held by ${heldBy}`}`
}

const wholeSeconds = (ms: number) => formatLength(Math.floor(ms / 1000) * 1000)

/** A line for each workload whose new pods the pacer holds back: they are not in the table. */
export const waitingLines = (counts: readonly WorkloadCount[], hasNamespaces: boolean): string[] =>
  counts.flatMap((count) =>
    count.waiting === 0
      ? []
      : [
          `${nameOf(count, hasNamespaces)}: ${plural(count.waiting, 'more pod')} not scheduled yet: the pacer holds ${count.waiting === 1 ? 'it' : 'them'} back`,
        ],
  )

/** A line for each workload with pods that are to be evicted. */
export const replacedLines = (counts: readonly WorkloadCount[], hasNamespaces: boolean): string[] =>
  counts.flatMap((count) => {
    const { toBeReplaced = 0 } = count
    if (toBeReplaced === 0) return []
    return [
      `${nameOf(count, hasNamespaces)}: ${plural(toBeReplaced, 'pod')} to be evicted, replaced first: rollcall pacer status names ${toBeReplaced === 1 ? 'it' : 'them'}`,
    ]
  })

/** All workloads together. */
export function summaryLine(counts: readonly WorkloadCount[]): string {
  const sum = (of: (count: WorkloadCount) => number) => counts.reduce((total, count) => total + of(count), 0)
  const [pods, terminating] = [sum((count) => count.pods), sum((count) => count.terminating)]
  const nodes = new Set(counts.flatMap((count) => count.nodes)).size
  const held = `${plural(pods, 'pod')} on ${plural(nodes, 'node')}`
  if (terminating === 0) return `${held}, none of them terminating.`
  return `${held}, ${terminating} of them terminating: the counts of Kubernetes, such as status.replicas, leave ${terminating === 1 ? 'it' : 'them'} out.`
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** What the workload is waited for. */
export function waitLine(count: WorkloadCount, hasNamespaces: boolean): string {
  const { workload, pods, old, terminating, waiting, oldestTerminating: oldest } = count
  const name = nameOf(count, hasNamespaces)
  if (workload === undefined) return `${name}: ${pods} pods`
  if (!count.isDeleted && workload.observedGeneration < workload.generation) return `${name}: its change has not been observed yet`
  const { kind, replicas, updatedReplicas, availableReplicas } = workload
  const parts =
    count.isDeleted || kind === 'Job'
      ? [count.isDeleted ? 'it is being deleted' : workload.isPaused ? 'suspended' : 'not finished', plural(pods, 'pod')]
      : [
          ...(workload.isPaused ? ['paused'] : []),
          `${updatedReplicas} of ${replicas} updated`,
          `${availableReplicas} available`,
          ...(old > 0 ? [`${plural(old, 'old pod')} running`] : []),
        ]
  if (waiting > 0) parts.push(`${waiting} waiting for the pacer`)
  if (oldest !== undefined) parts.push(`${terminating} terminating (${oldest.name} for ${describeOldest(oldest)})`)
  return `${name}: ${parts.join(', ')}`
}

/** Why waiting for it is pointless: it has failed, or its deadline has passed. Undefined: it goes on. */
export function failureLine(count: WorkloadCount, hasNamespaces: boolean): string | undefined {
  const { workload } = count
  if (workload === undefined || workload.observedGeneration < workload.generation) return undefined
  const failed = workload.conditions.find(
    ({ type, status, reason }) =>
      (workload.kind === 'Job' && type === 'Failed' && status === 'True') ||
      (type === 'Progressing' && status === 'False' && reason === 'ProgressDeadlineExceeded'),
  )
  if (failed === undefined) return undefined
  return `${nameOf(count, hasNamespaces)} has failed: ${failed.reason ?? failed.type}${failed.message ? `: ${failed.message}` : ''}`
}
