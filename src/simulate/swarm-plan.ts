// What a swarm run does, drawn from a seed: workloads, changes to them, and faults, with time in between. Plain data, so
// that a run can be repeated with some of its steps left out.
import { type Random, seededRandom } from '../base/random.ts'

export type WorkloadKind = 'deployment' | 'replicaset' | 'statefulset' | 'daemonset' | 'job' | 'cronjob'

/** What has replicas to scale. */
export type ScalableKind = 'deployment' | 'replicaset' | 'statefulset'

export type SwarmAction =
  | { readonly do: 'apply'; readonly kind: WorkloadKind; readonly name: string; readonly spec: object }
  | { readonly do: 'scale'; readonly kind: ScalableKind; readonly name: string; readonly replicas: number }
  | { readonly do: 'image'; readonly kind: WorkloadKind; readonly name: string; readonly image: string }
  /** A rollout that is paused, a Job or CronJob that is suspended; and going on. */
  | { readonly do: 'hold' | 'go on'; readonly kind: 'deployment' | 'job' | 'cronjob'; readonly name: string }
  | { readonly do: 'budget'; readonly name: string; readonly maxUnavailable: number }
  /** In the whole namespace; absent: no limit any more. */
  | { readonly do: 'quota'; readonly pods?: number }
  | { readonly do: 'delete'; readonly kind: WorkloadKind; readonly name: string }
  /** `pick` chooses among the pods that are there then. */
  | { readonly do: 'delete pod' | 'evict pod'; readonly pick: number }
  | { readonly do: 'restart controllers' | 'crash controllers' }
  | { readonly do: 'fail writes'; readonly count: number; readonly applied: boolean }
  | { readonly do: 'slow down'; readonly callsMs: number; readonly watchesMs: number }
  | { readonly do: 'stop node' | 'start node'; readonly name: string }

export type SwarmStep = SwarmAction & {
  /** Time that passes afterwards. */
  readonly thenMs: number
}

export interface SwarmPlan {
  readonly seed: number
  readonly nodes: number
  readonly interleave: boolean
  readonly steps: readonly SwarmStep[]
}

const pauses = [0, 1, 20, 150, 1000, 5000, 30_000, 100_000]

class Draws {
  readonly #random: Random
  constructor(random: Random) {
    this.#random = random
  }
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit)
  }
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
}

export function planSwarm(seed: number): SwarmPlan {
  const draws = new Draws(seededRandom(seed ^ 0x5eed))
  const nodes = 1 + draws.below(4)
  const steps: SwarmStep[] = []
  const made: Made[] = []
  const count = 6 + draws.below(10)
  for (let index = 0; index < count; index++) {
    const action = index === 0 || made.length === 0 ? drawWorkload(draws, made) : drawAction(draws, made, nodes)
    steps.push({ ...action, thenMs: draws.of(pauses) })
  }
  return { seed, nodes, interleave: draws.below(2) === 1, steps }
}

type Made = { readonly kind: WorkloadKind; readonly name: string }

function drawAction(draws: Draws, made: Made[], nodes: number): SwarmAction {
  const target = draws.of(made)
  const among = <K extends WorkloadKind>(...kinds: readonly K[]) =>
    made.filter(({ kind }) => (kinds as readonly WorkloadKind[]).includes(kind)) as { readonly kind: K; readonly name: string }[]
  switch (draws.below(18)) {
    case 0:
    case 1:
      return drawWorkload(draws, made)
    case 2:
    case 3: {
      const scalable = among('deployment', 'replicaset', 'statefulset')
      return scalable.length === 0 ? drawWorkload(draws, made) : { do: 'scale', ...draws.of(scalable), replicas: draws.below(7) }
    }
    case 4:
    case 5:
    case 6: {
      const templated = among('deployment', 'statefulset', 'daemonset')
      return templated.length === 0
        ? drawWorkload(draws, made)
        : { do: 'image', ...draws.of(templated), image: `app:${2 + draws.below(3)}` }
    }
    case 7:
      return { do: draws.of(['delete pod', 'evict pod']), pick: draws.below(1000) }
    case 8:
      return { do: draws.of(['restart controllers', 'crash controllers']) }
    case 9:
    case 10:
      return { do: 'fail writes', count: 1 + draws.below(8), applied: draws.below(2) === 1 }
    case 11:
      return { do: 'slow down', callsMs: draws.of([0, 5, 100]), watchesMs: draws.of([0, 20, 500]) }
    case 12:
      return { do: draws.of(['stop node', 'start node']), name: `node-${1 + draws.below(nodes)}` }
    case 13:
    case 14: {
      const held = among('deployment', 'job', 'cronjob')
      return held.length === 0 ? drawWorkload(draws, made) : { do: draws.of(['hold', 'go on']), ...draws.of(held) }
    }
    case 15: {
      // Of others nobody knows how many pods there should be.
      const counted = among('deployment', 'replicaset', 'statefulset')
      return counted.length === 0
        ? drawWorkload(draws, made)
        : { do: 'budget', name: draws.of(counted).name, maxUnavailable: draws.below(2) }
    }
    case 16: {
      const pods = draws.of([undefined, 4, 8])
      return { do: 'quota', ...(pods !== undefined && { pods }) }
    }
    default:
      return draws.below(2) === 0 ? { do: 'delete', ...target } : { do: 'delete pod', pick: draws.below(1000) }
  }
}

function drawWorkload(draws: Draws, made: Made[]): SwarmAction {
  const kind = draws.of(['deployment', 'deployment', 'deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob'] as const)
  const name = `${kind}-${made.length + 1}`
  made.push({ kind, name })
  return { do: 'apply', kind, name, spec: specs[kind](draws, name) }
}

const templateOf = (draws: Draws, name: string, more: object = {}) => ({
  metadata: {
    labels: { app: name },
    annotations: {
      'rollcall.dev/stop-delay': draws.of(['0s', '50ms', '3s', '20s']),
      'rollcall.dev/start-delay': draws.of(['0s', '1s', '4s']),
    },
  },
  spec: { containers: [{ name: 'c', image: 'app:1' }], ...more },
})

const jobSpec = (draws: Draws, name: string) => ({
  parallelism: 1 + draws.below(4),
  completions: 1 + draws.below(5),
  completionMode: draws.of(['Indexed', 'NonIndexed']),
  backoffLimit: 3,
  podReplacementPolicy: draws.of(['Failed', 'TerminatingOrFailed']),
  template: templateOf(draws, name, {
    restartPolicy: 'Never',
    containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', `sleep ${draws.below(30)}; exit ${draws.of([0, 0, 0, 1])}`] }],
  }),
})

/** terminatingAsActive beside TerminationStarted is refused. */
function replacementOf(draws: Draws): object {
  const policy = draws.below(3) > 0 ? draws.of(['TerminationStarted', 'TerminationComplete']) : undefined
  const isAsActive = draws.below(4) === 0 && policy !== 'TerminationStarted'
  return { ...(policy !== undefined && { podReplacementPolicy: policy }), ...(isAsActive && { terminatingAsActive: true }) }
}

const specs: Readonly<Record<WorkloadKind, (draws: Draws, name: string) => object>> = {
  deployment: (draws, name) => ({
    replicas: draws.below(7),
    selector: { matchLabels: { app: name } },
    strategy:
      draws.below(4) === 0
        ? { type: 'Recreate' }
        : { type: 'RollingUpdate', rollingUpdate: { maxSurge: draws.of([1, 2, '50%']), maxUnavailable: draws.of([0, 1, '50%']) } },
    minReadySeconds: draws.of([0, 0, 3]),
    ...replacementOf(draws),
    template: templateOf(draws, name),
  }),
  replicaset: (draws, name) => ({
    replicas: draws.below(5),
    selector: { matchLabels: { app: name } },
    ...(draws.below(3) === 0 && { terminatingAsActive: true }),
    template: templateOf(draws, name),
  }),
  statefulset: (draws, name) => ({
    replicas: draws.below(5),
    serviceName: name,
    selector: { matchLabels: { app: name } },
    podManagementPolicy: draws.of(['OrderedReady', 'Parallel']),
    template: templateOf(draws, name),
  }),
  daemonset: (draws, name) => ({
    selector: { matchLabels: { app: name } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: draws.of([{ maxUnavailable: 1 }, { maxSurge: 1, maxUnavailable: 0 }]) },
    template: templateOf(draws, name),
  }),
  job: jobSpec,
  cronjob: (draws, name) => ({
    schedule: '* * * * *',
    concurrencyPolicy: draws.of(['Allow', 'Forbid', 'Replace']),
    startingDeadlineSeconds: 100,
    successfulJobsHistoryLimit: draws.below(3),
    failedJobsHistoryLimit: draws.below(2),
    jobTemplate: { spec: jobSpec(draws, name) },
  }),
}
