// A random rollout, simulated as `rollcall simulate` does it and once exactly: the figures have to agree.
import type { KubernetesObject } from '../../api/types.ts'
import { type Random, seededPart } from '../../base/random.ts'
import { measureTrace } from '../rollout/measure.ts'
import type { Plan, PlannedStep } from '../rollout/plan.ts'
import { type Measures, type Policy, policies } from '../rollout/result.ts'
import { runOnce } from '../rollout/run-once.ts'
import { tickFor } from '../rollout/timer-tick.ts'

const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
const place = { source: 'swarm' }
const between = (random: Random, min: number, max: number) => min + Math.floor(random.next() * (max - min + 1))

/** Times have no spread: which pod gets a longer one depends on the order of writes. */
export function planRollout(seed: number): { readonly plan: Plan; readonly policy: Policy } {
  const random = seededPart(seed, 40)
  const replicas = between(random, 1, 24)
  const maxUnavailable = between(random, 0, replicas)
  const maxSurge = between(random, maxUnavailable === 0 ? 1 : 0, replicas)
  const labels = { app: 'web' }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      minReadySeconds: random.next() < 0.3 ? between(random, 1, 20) : 0,
      strategy: random.next() < 0.15 ? { type: 'Recreate' } : { rollingUpdate: { maxSurge, maxUnavailable } },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 120,
          containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '500m' } } }],
        },
      },
    },
  } as KubernetesObject
  const steps: PlannedStep[] = [{ atMs: 0, text: '', action: { type: 'image', target, image: 'web:2' } }]
  if (random.next() < 0.5)
    steps.push({ atMs: between(random, 1, 90) * 1000, text: '', action: { type: 'scale', target, replicas: between(random, 1, 24) } })
  if (random.next() < 0.4) steps.push({ atMs: between(random, 1, 60) * 1000, text: '', action: { type: 'image', target, image: 'web:3' } })
  const plan: Plan = {
    title: '',
    command: '',
    sources: [],
    ignored: [],
    objects: [{ object, place }],
    nodes: [{ count: between(random, 2, 6), cpu: '8', memory: '32Gi' }],
    timing: { startup: `${between(random, 1, 30)}s`, stop: `${between(random, 1, 60)}s` },
    policies: ['None'],
    seed,
    runs: 1,
    steps: steps.sort((a, b) => a.atMs - b.atMs),
    withinMs: 7_200_000,
    expectations: [],
    assumptions: [],
  }
  return { plan, policy: policies[between(random, 0, policies.length - 1)]! }
}

const counts = ['peakPods', 'cap', 'peakOverCap', 'deadlinesPassed'] as const
const times = ['availableAfterMs', 'oldGoneAfterMs', 'completeAfterMs'] as const

/** Random choices, such as the nodes of pods and which of equal pods are deleted, may have this many more outcomes in exact runs. */
const moreExactRuns = 16

interface CompareOptions {
  /** For tests of the comparison itself. */
  readonly run?: typeof runOnce
}

/**
 * The measures of both ways. Undefined: they agree. Times may differ by the grid, and by the moment that a settled state is awaited. The two
 * ways choose different nodes and pods at random. Therefore they differ only if no exact run, whatever its seed, has the same measures.
 */
export async function compareRollout(seed: number, { run = runOnce }: CompareOptions = {}): Promise<string | undefined> {
  const { plan, policy } = planRollout(seed)
  const measure = async (isExact: boolean, ownSeed = seed) =>
    measureTrace((await run({ plan, policy, seed: ownSeed, isExact })).trace).measures
  const [own, exact] = [await measure(false), await measure(true)]
  const differ = differencesOf(own, exact)
  if (differ.length === 0) return undefined
  for (let more = 1; more <= moreExactRuns; more++) if (differencesOf(own, await measure(true, seed + more)).length === 0) return undefined
  const shown = (measures: Measures) => differ.map((key) => `${key} ${measures[key] ?? 'never'}`).join(', ')
  return `rollcall simulate differs from the exact run under ${policy}: ${shown(own)}, exactly ${shown(exact)}`
}

function differencesOf(own: Measures, exact: Measures): (keyof Measures)[] {
  const slackMs = 10 * tickFor(24) + 1000
  return [
    ...counts.filter((key) => own[key] !== exact[key]),
    ...times.filter((key) => Math.abs((own[key] ?? -1e9) - (exact[key] ?? -1e9)) > slackMs),
  ]
}
