// The numbers of a simulation against a count that shares no code with it: from the objects as they were written, by
// intervals and sorted edges, where measure.ts goes change by change through a trace.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { measureTrace } from './measure.ts'
import type { Policy } from './result.ts'
import { runOnce } from './run-once.ts'

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const request: PlanRequest = { files: [], to: [], scale: [], faults: [], expect: [], command: 'rollcall simulate' }
const web = join(folder, 'web.yaml')

interface Life {
  bornMs: number
  /** Succeeded, Failed, or removed. */
  endMs: number
  deletedMs: number
  isSeenUnschedulable: boolean
  setUid: string
}
interface Written {
  readonly metadata: {
    readonly uid: string
    readonly name: string
    readonly generation?: number
    readonly deletionTimestamp?: string
    readonly annotations?: Record<string, string>
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[]
  }
  readonly spec?: {
    readonly replicas?: number
    readonly strategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxSurge?: number | string } }
  }
  readonly status?: {
    readonly phase?: string
    readonly availableReplicas?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly observedGeneration?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
  }
}

/** Everything that was written, as it is needed below. */
class Notebook {
  readonly lives = new Map<string, Life>()
  readonly nodes = new Map<string, { bornMs: number; endMs: number }>()
  readonly deployments: { atMs: number; object: Written }[] = []
  readonly setRevisions = new Map<string, number>()
  /** The order of births and ends in one millisecond. */
  readonly edges: { atMs: number; by: 1 | -1 }[] = []

  note({ kind, verb, object }: Change, nowMs: number): void {
    const written = object as unknown as Written
    if (kind.plural === 'pods') this.#notePod(written, verb, nowMs)
    if (kind.plural === 'nodes') {
      const node = this.nodes.get(written.metadata.name)
      if (node === undefined) this.nodes.set(written.metadata.name, { bornMs: nowMs, endMs: Number.POSITIVE_INFINITY })
      else if (verb === 'delete') node.endMs = nowMs
    }
    if (kind.plural === 'deployments') this.deployments.push({ atMs: nowMs, object: written })
    if (kind.plural === 'replicasets')
      this.setRevisions.set(written.metadata.uid, Number(written.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0))
  }

  #notePod(pod: Written, verb: Change['verb'], nowMs: number): void {
    let life = this.lives.get(pod.metadata.uid)
    if (life === undefined) {
      const setUid = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? ''
      life = { bornMs: nowMs, endMs: Number.POSITIVE_INFINITY, deletedMs: Number.POSITIVE_INFINITY, isSeenUnschedulable: false, setUid }
      this.lives.set(pod.metadata.uid, life)
      this.edges.push({ atMs: nowMs, by: 1 })
    }
    if (pod.metadata.deletionTimestamp !== undefined) life.deletedMs = Math.min(life.deletedMs, nowMs)
    const isOver = verb === 'delete' || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver && life.endMs === Number.POSITIVE_INFINITY) {
      life.endMs = nowMs
      this.edges.push({ atMs: nowMs, by: -1 })
    }
    if (
      pod.status?.conditions?.some(
        ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
      )
    )
      life.isSeenUnschedulable = true
  }
}

const surgeOf = ({ spec }: Written) => {
  if (spec?.strategy?.type === 'Recreate') return 0
  const surge = spec?.strategy?.rollingUpdate?.maxSurge ?? 0
  return typeof surge === 'number' ? surge : Math.ceil((Number.parseInt(surge, 10) * (spec?.replicas ?? 1)) / 100)
}
const capOf = (deployment: Written) => (deployment.spec?.replicas ?? 1) + surgeOf(deployment)
const overlap = (fromMs: number, toMs: number, { bornMs, endMs }: { bornMs: number; endMs: number }) =>
  Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, bornMs))

function countByHand(book: Notebook, zeroMs: number, endMs: number) {
  const untilMs = zeroMs + endMs
  const lives = [...book.lives.values()]
  const isThereAt = (atMs: number) => lives.filter(({ bornMs, endMs: goneMs }) => bornMs <= atMs && goneMs > atMs).length

  let pods = lives.filter(({ bornMs, endMs: goneMs }) => bornMs < zeroMs && goneMs >= zeroMs).length
  let peakPods = pods
  let peakOverCap = 0
  for (const { atMs, by } of book.edges.filter((edge) => edge.atMs >= zeroMs && edge.atMs <= untilMs)) {
    pods += by
    peakPods = Math.max(peakPods, pods)
    const cap = capOf(book.deployments.filter((one) => one.atMs <= atMs).at(-1)!.object)
    if (by > 0) peakOverCap = Math.max(peakOverCap, pods - cap)
  }

  const shown = book.deployments.filter(({ atMs }) => atMs >= zeroMs && atMs <= untilMs)
  const before = book.deployments.filter(({ atMs }) => atMs < zeroMs).at(-1)!
  const isDone = ({ metadata, spec, status }: Written) =>
    status?.observedGeneration === metadata.generation &&
    status?.replicas === spec?.replicas &&
    status?.updatedReplicas === spec?.replicas &&
    status?.availableReplicas === spec?.replicas
  const reasonOf = ({ status }: Written) => status?.conditions?.find(({ type }) => type === 'Progressing')?.reason
  const lastUndone = shown.map(({ object }) => isDone(object)).lastIndexOf(false)
  const lastIncomplete = shown.map(({ object }) => isDone(object) && reasonOf(object) === 'NewReplicaSetAvailable').lastIndexOf(false)
  const newest = Math.max(...book.setRevisions.values())
  const goers = lives.filter(
    ({ setUid, deletedMs, endMs: goneMs }) =>
      goneMs >= zeroMs && ((book.setRevisions.get(setUid) ?? 0) < newest || deletedMs <= untilMs) && Math.max(deletedMs, zeroMs) <= untilMs,
  )

  // All were available at the start: what a scale-up adds counts when all of it has been.
  let owed = before.object.spec?.replicas ?? 1
  let lowest = 1
  for (const { object } of shown) {
    const wanted = object.spec?.replicas ?? 1
    const available = object.status?.availableReplicas ?? 0
    owed = available >= wanted ? wanted : Math.min(owed, wanted)
    lowest = Math.min(lowest, available / owed)
  }
  const reasons = [before, ...shown].map(({ object }) => reasonOf(object))
  return {
    peakPods,
    peakOverCap,
    cap: Math.max(...[before, ...shown].map(({ object }) => capOf(object))),
    availableAfterMs: shown[lastUndone + 1]!.atMs - zeroMs,
    completeAfterMs: shown[lastIncomplete + 1]!.atMs - zeroMs,
    oldGoneAfterMs: Math.max(...goers.map(({ endMs: goneMs }) => goneMs)) - zeroMs,
    lowestAvailability: lowest,
    podSeconds: lives.reduce((sum, life) => sum + overlap(zeroMs, untilMs, life), 0) / 1000,
    peakNodes: Math.max(
      ...[...book.nodes.values()].map(
        ({ bornMs }) =>
          [...book.nodes.values()].filter((node) => node.bornMs <= Math.max(bornMs, zeroMs) && node.endMs > Math.max(bornMs, zeroMs))
            .length,
      ),
    ),
    nodeMinutes: [...book.nodes.values()].reduce((sum, node) => sum + overlap(zeroMs, untilMs, node), 0) / 60_000,
    waitedForRoom: lives.filter(({ isSeenUnschedulable, endMs: goneMs }) => isSeenUnschedulable && goneMs >= zeroMs).length,
    // The nodes of these plans differ in nothing but what they hold.
    matchedNoNode: 0,
    deadlinesPassed: reasons.filter((reason, index) => reason === 'ProgressDeadlineExceeded' && reasons[index - 1] !== reason).length,
    podsAtHalfTime: isThereAt(zeroMs + Math.floor(endMs / 2)),
  }
}

const rolled = { ...request, files: [web], to: ['image=example/web:2'] }
const cases: readonly [string, PlanRequest, Policy][] = [
  ['tight nodes', { ...request, files: [join(folder, 'tight-nodes.yaml')] }, 'None'],
  ['tight nodes', { ...request, files: [join(folder, 'tight-nodes.yaml')] }, 'TerminationComplete'],
  ['a quota', { ...request, files: [join(folder, 'quota.yaml')] }, 'None'],
  ['one pod on each node', { ...request, files: [join(folder, 'anti-affinity.yaml')] }, 'TerminationStarted'],
  ['a long grace period', { ...request, files: [join(folder, 'long-grace-period.yaml')] }, 'None'],
  ['a long grace period', { ...request, files: [join(folder, 'long-grace-period.yaml')] }, 'TerminationComplete+terminatingAsActive'],
  ['evictions', { ...request, files: [join(folder, 'eviction.yaml')] }, 'TerminationComplete'],
  ['evictions', { ...request, files: [join(folder, 'eviction.yaml')] }, 'TerminationComplete+terminatingAsActive'],
  ['a rollout with chance in it', { ...rolled, startup: '20s±5s', stop: '45s±15s', seed: 7 }, 'None'],
  ['a rollout with chance in it', { ...rolled, startup: '20s±5s', stop: '45s±15s', seed: 7 }, 'TerminationComplete'],
  ['scaling up and down', { ...request, files: [web], scale: ['14@10s,4@2m'], stop: '20s' }, 'TerminationStarted'],
  ['a rollout that passes its deadline', { ...request, files: [web], to: ['image=example/web:2'], startup: '11m', within: '3h' }, 'None'],
]

describe('the numbers of a simulation', () => {
  it.each(cases)('%s, as counted by hand (%#)', { timeout: 60_000 }, async (_, asked, policy) => {
    const plan = await makePlan(asked)
    const book = new Notebook()
    const { trace, zeroMs } = await runOnce({ plan, policy, seed: plan.seed, onWrite: (change, nowMs) => book.note(change, nowMs) })
    const { measures, series } = measureTrace(trace)
    const { podsAtHalfTime, ...counted } = countByHand(book, zeroMs, trace.endMs)
    const firstStepMs = Math.min(...plan.steps.map(({ atMs }) => atMs))
    expect(measures).toEqual({
      ...counted,
      availableAfterMs: counted.availableAfterMs - firstStepMs,
      completeAfterMs: counted.completeAfterMs - firstStepMs,
      oldGoneAfterMs: counted.oldGoneAfterMs - firstStepMs,
      podSeconds: expect.closeTo(counted.podSeconds, 6),
      nodeMinutes: expect.closeTo(counted.nodeMinutes, 6),
    })
    const half = series.times.findLastIndex((atMs) => atMs <= Math.floor(trace.endMs / 2))
    expect(series.layers.reduce((sum, { values }) => sum + values[half]!, 0)).toBe(podsAtHalfTime)
  })
})
