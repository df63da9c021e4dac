// What `kubectl get pods` prints. The status column is not the phase: it is the reason why the containers are not all running.
// Kubernetes: pkg/printers/internalversion.printPod
import { formatAge } from '../../../../base/duration.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { isConditionTrue } from '../../../machinery/conditions.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ContainerStatus, Pod } from '../../../types.ts'

export const podColumns: Columns<Pod> = {
  ...columnsOf<Pod>([
    nameColumn,
    text('Ready', 'How many of the containers are ready.', readyCell),
    text('Status', 'What the pod is doing, or what keeps it from it.', (pod) => summaryOf(pod).reason),
    text('Restarts', 'How often containers were started again, and when last.', restartsCell),
    ageColumn,
    text('IP', 'The address of the pod.', ({ status }) => status?.podIPs?.[0]?.ip || '<none>', 1),
    text('Node', 'The node that the pod runs on.', ({ spec }) => spec?.nodeName || '<none>', 1),
    text('Nominated Node', 'The node that is being made free for the pod.', ({ status }) => status?.nominatedNodeName || '<none>', 1),
    text('Readiness Gates', 'How many of the additional conditions for readiness hold.', readinessGatesOf, 1),
  ]),
  conditions(pod) {
    if (pod.status?.phase === 'Succeeded')
      return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }]
    if (pod.status?.phase === 'Failed') return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]
    return []
  },
}

function readyCell(pod: Pod): string {
  const { ready, total } = summaryOf(pod)
  return `${ready}/${total}`
}

function restartsCell(pod: Pod, nowMs: number): string {
  const { restarts, lastRestart } = summaryOf(pod)
  return restarts !== 0 && lastRestart !== undefined ? `${restarts} (${formatAge(lastRestart, nowMs)} ago)` : String(restarts)
}

interface Summary {
  ready: number
  total: number
  reason: string
  restarts: number
  lastRestart: string | undefined
}

const isTrue = (pod: Pod, type: string) => isConditionTrue(pod.status?.conditions, type)

function summaryOf(pod: Pod): Summary {
  const status = pod.status ?? {}
  const sidecars = new Set(
    (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  )
  const summary: Summary = {
    ready: 0,
    total: (pod.spec?.containers?.length ?? 0) + sidecars.size,
    reason: status.reason || status.phase || '',
    restarts: 0,
    lastRestart: undefined,
  }
  if (status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated'))
    summary.reason = 'SchedulingGated'
  const initializing = summariseInitContainers(pod, sidecars, summary)
  if (!initializing || isTrue(pod, 'Initialized')) summariseContainers(pod, sidecars, summary)
  if (pod.metadata?.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown'
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.reason = 'Terminating'
  }
  return summary
}

function countRestarts(container: ContainerStatus, summary: Summary): void {
  summary.restarts += container.restartCount ?? 0
  const finished = container.lastState?.terminated?.finishedAt
  if (finished && (summary.lastRestart === undefined || finished > summary.lastRestart)) summary.lastRestart = finished
}

/** Sets the reason from the first init container that has not completed. Returns whether there is one. */
function summariseInitContainers(pod: Pod, sidecars: ReadonlySet<string>, summary: Summary): boolean {
  const statuses = pod.status?.initContainerStatuses ?? []
  for (const [index, container] of statuses.entries()) {
    countRestarts(container, summary)
    const { terminated, waiting } = container.state ?? {}
    if (terminated && (terminated.exitCode ?? 0) === 0) continue
    if (sidecars.has(container.name) && container.started === true) {
      if (container.ready) summary.ready++
      continue
    }
    if (terminated) summary.reason = `Init:${endOf(terminated)}`
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`
    else summary.reason = `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`
    return true
  }
  return false
}

const endOf = ({ reason, signal, exitCode }: { readonly reason?: string; readonly signal?: number; readonly exitCode?: number }) =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`)

function summariseContainers(pod: Pod, sidecars: ReadonlySet<string>, summary: Summary): void {
  summary.restarts = 0
  summary.lastRestart = undefined
  for (const container of pod.status?.initContainerStatuses ?? []) if (sidecars.has(container.name)) countRestarts(container, summary)
  let running = false
  let error = ''
  // In reverse, so that the first container decides.
  for (const container of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    countRestarts(container, summary)
    const { waiting, terminated, running: runs } = container.state ?? {}
    if (waiting?.reason) summary.reason = waiting.reason
    else if (terminated) {
      summary.reason = endOf(terminated)
      if ((terminated.exitCode ?? 0) !== 0) error = summary.reason
    } else if (container.ready && runs) {
      running = true
      summary.ready++
    }
  }
  if (summary.reason !== 'Completed') return
  if (running && isTrue(pod, 'Ready')) summary.reason = 'Running'
  else if (error !== '') summary.reason = error
  else if (running) summary.reason = 'NotReady'
}

function readinessGatesOf(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  return `${gates.filter(({ conditionType }) => isTrue(pod, conditionType)).length}/${gates.length}`
}
