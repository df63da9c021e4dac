// The workloads of a swarm run, drawn from its seed.
import type { Random } from '../../base/random.ts'

export type WorkloadKind = 'deployment' | 'replicaset' | 'statefulset' | 'daemonset' | 'job' | 'cronjob'

export class Draws {
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
  /** True once in `count` times, on average. */
  oneIn(count: number): boolean {
    return this.below(count) === 0
  }
}

interface DrawnWorkload {
  readonly spec: object
  /** The fields of the proposals, for an API server that does not know them. */
  readonly annotations?: Readonly<Record<string, string>>
}

/** Of a Deployment; null takes it away. */
export interface DrawnPolicy {
  readonly podReplacementPolicy: 'TerminationStarted' | 'TerminationComplete' | null
  readonly terminatingAsActive: true | null
}

export const drawPolicy = (draws: Draws): DrawnPolicy =>
  draws.of<DrawnPolicy>([
    { podReplacementPolicy: null, terminatingAsActive: null },
    { podReplacementPolicy: 'TerminationStarted', terminatingAsActive: null },
    { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: null },
    { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: null },
    { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true },
    { podReplacementPolicy: null, terminatingAsActive: true },
  ])

/** The same as annotations; null takes one away. */
export const policyAnnotations = ({ podReplacementPolicy, terminatingAsActive }: DrawnPolicy): Record<string, string | null> => ({
  'rollcall.dev/pod-replacement-policy': podReplacementPolicy,
  'rollcall.dev/terminating-as-active': terminatingAsActive === null ? null : 'true',
})

export const drawStrategy = (draws: Draws): object =>
  draws.oneIn(4)
    ? { type: 'Recreate', rollingUpdate: null }
    : { type: 'RollingUpdate', rollingUpdate: { maxSurge: draws.of([0, 1, 2, '50%']), maxUnavailable: draws.of([1, 1, 2, '50%']) } }

/** Two to four changes of a Deployment at once, as a strategic merge patch. */
export function drawEdit(draws: Draws): object {
  const replicas = () => ({ replicas: draws.below(7) })
  const policy = () => ({ ...drawPolicy(draws) })
  const specs = [
    replicas,
    replicas,
    replicas,
    policy,
    policy,
    policy,
    () => ({ strategy: drawStrategy(draws) }),
    () => ({ template: { spec: { containers: [{ name: 'c', image: `app:${1 + draws.below(4)}` }] } } }),
    () => ({ paused: draws.oneIn(2) }),
    () => ({ minReadySeconds: draws.of([0, 3]) }),
    () => ({ operationalThreshold: draws.of([null, 1, '50%']) }),
    () => ({ revisionHistoryLimit: draws.below(3) }),
    () => ({ progressDeadlineSeconds: draws.of([30, 60, 200]) }),
  ]
  const annotations = [
    () => policyAnnotations(drawPolicy(draws)),
    () => ({ 'rollcall.dev/stuck-termination-timeout': draws.of([null, '0s', '5s', '1m']) }),
  ]
  let spec = {}
  for (let count = 2 + draws.below(3); count > 0; count--) spec = { ...spec, ...draws.of(specs)() }
  return { spec, ...(draws.oneIn(3) && { metadata: { annotations: draws.of(annotations)() } }) }
}

const withoutNulls = <T>(values: Readonly<Record<string, T | null>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Record<string, T>

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

const threshold = (draws: Draws) => (draws.oneIn(3) ? { operationalThreshold: draws.of([1, 2, '34%', '90%']) } : {})

const jobSpec = (draws: Draws, name: string) => ({
  parallelism: 1 + draws.below(4),
  completions: 1 + draws.below(5),
  completionMode: draws.of(['Indexed', 'NonIndexed']),
  backoffLimit: 3,
  ...draws.of([{ podReplacementPolicy: 'Failed' }, { podReplacementPolicy: 'TerminatingOrFailed' }, { terminatingAsActive: true }]),
  template: templateOf(draws, name, {
    restartPolicy: 'Never',
    containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', `sleep ${draws.below(30)}; exit ${draws.of([0, 0, 0, 1])}`] }],
  }),
})

const deployment = (draws: Draws, name: string): DrawnWorkload => {
  const policy = drawPolicy(draws)
  const asAnnotations = draws.oneIn(4)
  return {
    spec: {
      replicas: draws.below(7),
      selector: { matchLabels: { app: name } },
      strategy: withoutNulls(drawStrategy(draws) as Record<string, unknown>),
      minReadySeconds: draws.of([0, 0, 3]),
      progressDeadlineSeconds: draws.of([30, 60, 200]),
      ...threshold(draws),
      ...(!asAnnotations && withoutNulls<unknown>({ ...policy })),
      template: templateOf(draws, name),
    },
    ...(asAnnotations && { annotations: withoutNulls(policyAnnotations(policy)) }),
  }
}

/** Half of them have a deadline. */
const deadline = (draws: Draws) => (draws.oneIn(2) ? { progressDeadlineSeconds: draws.of([30, 120]) } : {})

export const drawSpec: Readonly<Record<WorkloadKind, (draws: Draws, name: string) => DrawnWorkload>> = {
  deployment,
  replicaset: (draws, name) => ({
    spec: {
      replicas: draws.below(5),
      selector: { matchLabels: { app: name } },
      ...(draws.oneIn(3) && { terminatingAsActive: true }),
      ...threshold(draws),
      template: templateOf(draws, name),
    },
  }),
  statefulset: (draws, name) => ({
    spec: {
      replicas: draws.below(5),
      serviceName: name,
      selector: { matchLabels: { app: name } },
      podManagementPolicy: draws.of(['OrderedReady', 'Parallel']),
      ...deadline(draws),
      ...threshold(draws),
      template: templateOf(draws, name),
    },
  }),
  daemonset: (draws, name) => ({
    spec: {
      selector: { matchLabels: { app: name } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: draws.of([{ maxUnavailable: 1 }, { maxSurge: 1, maxUnavailable: 0 }]) },
      ...deadline(draws),
      ...threshold(draws),
      template: templateOf(draws, name),
    },
  }),
  job: (draws, name) => ({ spec: jobSpec(draws, name) }),
  cronjob: (draws, name) => ({
    spec: {
      schedule: '* * * * *',
      concurrencyPolicy: draws.of(['Allow', 'Forbid', 'Replace']),
      startingDeadlineSeconds: 100,
      successfulJobsHistoryLimit: draws.below(3),
      failedJobsHistoryLimit: draws.below(2),
      jobTemplate: { spec: jobSpec(draws, name) },
    },
  }),
}
