// A computed result, for tests of the report: a rollout of `replicas` pods, with and without waiting for terminating ones.
// It is not a simulation, and has only what a chart needs.
import {
  isPaced,
  type Mark,
  type Percentiles,
  type PodState,
  type Policy,
  podStates,
  policies,
  type SimulationResult,
} from '../../rollout/result.ts'

const startMs = 20_000
const stopMs = 45_000

interface SampleOptions {
  readonly replicas?: number
  readonly surge?: number
  readonly unavailable?: number
  readonly runs?: number
  readonly title?: string
  readonly manifest?: string
}

export function sampleResult(options: SampleOptions = {}): SimulationResult {
  const { replicas = 10, surge = 3, unavailable = 2, runs = 1, title = 'Deployment default/web', manifest = sampleManifest } = options
  return {
    format: 'rollcall.simulation/1',
    title,
    command: `rollcall simulate -f web.yaml --to image=nginx:2 --startup 20s --stop 45s${runs > 1 ? ` --runs ${runs}` : ''} --report report.html`,
    sources: [{ name: 'web.yaml', text: manifest }],
    seed: 1,
    runs,
    outcomes: policies.filter((policy) => !isPaced(policy)).map((policy) => sampleOutcome(policy, replicas, surge, unavailable, runs)),
    advice: `Choose TerminationComplete: it never has more than ${replicas + surge} pods, where no policy has up to ${replicas + surge + unavailable}; it takes longer.`,
  }
}

const sampleManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 10
`

function sampleOutcome(policy: Policy, replicas: number, surge: number, unavailable: number, runs: number) {
  const cap = replicas + surge
  const waits = policy.startsWith('TerminationComplete')
  const counts = new Map<string, number>([['1-ready', replicas]])
  const changes: { readonly atMs: number; readonly run: () => void }[] = []
  const marks: Mark[] = [{ atMs: 10_000, type: 'step', object: 'Deployment/web', text: 'image=nginx:2' }]
  const at = (atMs: number, run: () => void) => changes.push({ atMs, run })
  const add = (key: string, change: number) => counts.set(key, (counts.get(key) ?? 0) + change)
  const get = (key: string) => counts.get(key) ?? 0
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const live = () => total() - get('1-terminating')
  let old = replicas
  let fresh = 0
  let drawn = 0
  /** Varied, and the same in every run. */
  const jitterMs = () => {
    drawn = (drawn * 7919 + 104_729) % 3001
    return drawn
  }
  // One reconcile of the controller.
  const reconcile = (now: number) => {
    const up = Math.min(replicas - fresh, cap - (waits ? total() : live()))
    for (let i = 0; i < up; i++) {
      fresh++
      add('2-pending', 1)
      const bound = now + 200 + jitterMs()
      at(bound, () => {
        add('2-pending', -1)
        add('2-starting', 1)
        marks.push({ atMs: bound, type: 'event', object: `Pod/web-2-${fresh}`, text: 'Scheduled: assigned to a node' })
      })
      at(bound + startMs, () => {
        add('2-starting', -1)
        add('2-ready', 1)
      })
    }
    const down = Math.min(old, get('1-ready') + get('2-ready') - (replicas - unavailable))
    for (let i = 0; i < down; i++) {
      old--
      add('1-ready', -1)
      add('1-terminating', 1)
      at(now + stopMs + jitterMs(), () => add('1-terminating', -1))
    }
  }
  at(10_000, () => {})
  at(40_000, () => {
    marks.push({ atMs: 40_000, type: 'fault', object: 'Node/node-2', text: 'node-2 goes down' })
  })

  const times = [0]
  const samples = [new Map(counts)]
  let now = 0
  while (changes.length > 0) {
    changes.sort((a, b) => a.atMs - b.atMs)
    const next = changes.shift()!
    now = next.atMs
    next.run()
    reconcile(now)
    if (times.at(-1) === now) samples[samples.length - 1] = new Map(counts)
    else {
      times.push(now)
      samples.push(new Map(counts))
    }
  }
  marks.push({ atMs: now, type: 'condition', object: 'Deployment/web', text: 'Progressing=True NewReplicaSetAvailable' })
  times.push(now + 10_000)
  samples.push(new Map(counts))

  const values = (revision: number, state: PodState) => samples.map((sample) => sample.get(`${revision}-${state}`) ?? 0)
  const layers = podStates.flatMap((state) => [1, 2].map((revision) => ({ revision, state, values: values(revision, state) })))
  const totals = samples.map((sample) => [...sample.values()].reduce((sum, count) => sum + count, 0))
  const available = samples.map((sample) => (sample.get('1-ready') ?? 0) + (sample.get('2-ready') ?? 0))
  const nodes = totals.map((pods) => Math.max(3, Math.ceil(pods / Math.max(1, replicas / 4))))
  const heldMs = times.map((time, index) => (times[index + 1] ?? time) - time)
  const sumOver = (line: readonly number[]) => line.reduce((sum, value, index) => sum + value * heldMs[index]!, 0)
  const peakPods = Math.max(...totals)
  const measures = {
    peakPods,
    cap,
    peakOverCap: Math.max(0, peakPods - cap),
    availableAfterMs: times[available.lastIndexOf(Math.min(...available.slice(-3)) - 1) + 1]! - 10_000,
    oldGoneAfterMs: now - 10_000,
    completeAfterMs: now - 10_000,
    lowestAvailability: Math.min(...available) / replicas,
    podSeconds: sumOver(totals) / 1000,
    peakNodes: Math.max(...nodes),
    nodeMinutes: sumOver(nodes) / 60_000,
    waitedForRoom: 0,
    matchedNoNode: 0,
    deadlinesPassed: 0,
  }
  const spreadOf = (value: number): Percentiles => ({ min: value * 0.9, p50: value, p90: value * 1.1, p99: value * 1.2, max: value * 1.3 })
  return {
    policy,
    measures,
    ...(runs > 1 && {
      spread: Object.fromEntries(Object.entries(measures).map(([key, value]) => [key, spreadOf(value)])),
    }),
    series: { times, layers, desired: times.map(() => replicas), cap: times.map(() => cap), available, nodes },
    marks: marks.sort((a, b) => a.atMs - b.atMs),
    failures: [],
  }
}
