// The random steps of a swarm run, from a seed: workloads, changes to them, and faults, with time in between. Plain data, so
// that a run can be repeated without some of its steps.
import { seededRandom } from '../../base/random.ts'
import { type DrawnPolicy, Draws, drawEdit, drawPolicy, drawSpec, drawStrategy, type WorkloadKind } from './swarm-specs.ts'

export type { WorkloadKind } from './swarm-specs.ts'

/** Kinds that can be scaled. */
type ScalableKind = 'deployment' | 'replicaset' | 'statefulset'

type Propagation = 'Background' | 'Foreground' | 'Orphan'

export type SwarmAction =
  | {
      readonly do: 'apply'
      readonly kind: WorkloadKind
      readonly name: string
      readonly spec: object
      readonly annotations?: Readonly<Record<string, string>>
    }
  /** A second Deployment with the selector and the template of the first. */
  | { readonly do: 'twin'; readonly name: string; readonly of: string }
  /** A second Deployment whose selector and template have one label more than those of the first. */
  | { readonly do: 'canary'; readonly name: string; readonly of: string }
  /** A pod without an owner that has the labels of a workload. */
  | { readonly do: 'bare pod'; readonly name: string; readonly of: string; readonly stopDelay: string }
  /** Keeps the replicas of a Deployment between two numbers. */
  | { readonly do: 'autoscale'; readonly name: string; readonly min: number; readonly max: number }
  /** A rollback that the Deployment controller carries out. */
  | { readonly do: 'roll back'; readonly name: string; readonly revision: number }
  | { readonly do: 'scale'; readonly kind: ScalableKind; readonly name: string; readonly replicas: number }
  /** `startDelay`: how long the new pods take to start. */
  | { readonly do: 'image'; readonly kind: WorkloadKind; readonly name: string; readonly image: string; readonly startDelay?: string }
  /** As `kubectl rollout undo` does it; an older kubectl takes over the annotation of a pending scale as well. */
  | { readonly do: 'undo'; readonly name: string; readonly isOldKubectl: boolean }
  | { readonly do: 'policy'; readonly name: string; readonly policy: DrawnPolicy; readonly asAnnotations: boolean }
  | { readonly do: 'strategy'; readonly name: string; readonly strategy: object }
  /** Several changes in one write. */
  | { readonly do: 'edit'; readonly name: string; readonly patch: object }
  /** An annotation without effect. */
  | { readonly do: 'annotate'; readonly name: string; readonly value: string }
  /** Pauses a rollout, or suspends a Job or CronJob; and resumes it. */
  | { readonly do: 'hold' | 'go on'; readonly kind: 'deployment' | 'job' | 'cronjob'; readonly name: string }
  | { readonly do: 'budget'; readonly name: string; readonly maxUnavailable: number }
  /** For the whole namespace. Absent: the quota is removed. */
  | { readonly do: 'quota'; readonly pods?: number }
  | { readonly do: 'delete'; readonly kind: WorkloadKind; readonly name: string; readonly propagation: Propagation }
  /** `pick` chooses among the pods, or the ReplicaSets of Deployments, that exist at that time. */
  | { readonly do: 'delete pod' | 'evict pod'; readonly pick: number }
  | { readonly do: 'delete set'; readonly pick: number; readonly propagation: Propagation }
  /** The pod does not terminate when it is deleted. `isDeleted`: it is deleted at once. */
  | { readonly do: 'stick pod'; readonly pick: number; readonly isDeleted: boolean }
  | { readonly do: 'release pods' }
  /** A status write by a client that does not know `terminatingReplicas`. */
  | { readonly do: 'drop count'; readonly kind: 'deployment' | 'replicaset'; readonly pick: number }
  | { readonly do: 'restart controllers' | 'crash controllers' }
  /** A second installation of the pacer acts at the same time as the elected one. */
  | { readonly do: 'start pacer' | 'start second pacer' | 'stop pacers' | 'crash pacers' }
  | { readonly do: 'slow pacer'; readonly callsMs: number; readonly watchesMs: number }
  | { readonly do: 'fail writes' | 'fail pacer writes'; readonly count: number; readonly applied: boolean }
  | { readonly do: 'slow down'; readonly callsMs: number; readonly watchesMs: number }
  | { readonly do: 'stop node' | 'start node'; readonly name: string }
  /** Absent: the taint is removed. */
  | { readonly do: 'taint node'; readonly name: string; readonly effect?: 'NoSchedule' | 'NoExecute' }

export type SwarmStep = SwarmAction & {
  /** Time that passes afterwards. */
  readonly thenMs: number
}

export interface SwarmPlan {
  readonly seed: number
  readonly nodes: number
  readonly interleave: boolean
  /** Pods that do not end are released when the faults end. Otherwise a rollout that waits for one must say so. */
  readonly releasesPods: boolean
  /** Every ReplicaSet and Job is paced. */
  readonly hasPacer?: true
  readonly steps: readonly SwarmStep[]
}

/** Pods that take this long to start never become ready in a run. */
export const endlessDelay = '8760h'

const pauses = [0, 1, 20, 150, 1000, 5000, 30_000, 100_000]

export function planSwarm(seed: number): SwarmPlan {
  const draws = new Draws(seededRandom(seed ^ 0x5eed))
  const nodes = 1 + draws.below(4)
  const steps: SwarmStep[] = []
  const made: Made[] = []
  const count = 6 + draws.below(10)
  const releasesPods = !draws.oneIn(4)
  for (let index = 0; index < count; index++) {
    const action = index === 0 || made.length === 0 ? drawWorkload(draws, made) : drawAction(draws, made, nodes, releasesPods)
    steps.push({ ...action, thenMs: draws.of(pauses) })
  }
  const interleave = draws.oneIn(2)
  const moreDraws = new Draws(seededRandom(seed ^ 0x7717))
  const plan = { seed, nodes, interleave, releasesPods }
  switch (seed % openingsEvery) {
    case 0:
      return { ...plan, steps: [...planTwins(moreDraws), ...steps] }
    case 1:
      return { ...plan, releasesPods: false, steps: [...planStuckRollout(moreDraws), ...steps] }
    case 2:
      return { ...plan, releasesPods: false, steps: [...planPendingScale(moreDraws), ...steps] }
    case 3:
    case 7:
      return { ...plan, releasesPods: true, hasPacer: true, steps: planPacers(moreDraws, releasesPods, steps) }
    case 4:
      return { ...plan, releasesPods: false, steps: [...planDeletedSet(moreDraws), ...steps] }
    case 5:
      return { ...plan, steps: planEdits(moreDraws, steps) }
    case 6:
      return { ...plan, steps: [...planLateCaches(moreDraws), ...steps] }
    case 8:
      return { ...plan, steps: planNeighbours(moreDraws, steps) }
    default:
      return { ...plan, steps }
  }
}

/** The steps with faults of the pacer between them: none runs, several do, two act at once, it is slow, its cache is behind, its writes fail. */
function planPacers(draws: Draws, releasesPods: boolean, steps: readonly SwarmStep[]): SwarmStep[] {
  // What never starts would never complete, and steps that are made for it would never be mended.
  const kept = releasesPods ? steps : steps.filter((step) => step.do !== 'image' || step.startDelay !== endlessDelay)
  return kept.flatMap((step) => {
    const fault = draws.below(10)
    const thenMs = draws.of(pauses)
    switch (fault) {
      case 0:
        return [step, { do: draws.of(['stop pacers', 'crash pacers', 'start pacer']), thenMs }]
      case 1:
      case 2:
        return [step, { do: draws.of(['stop pacers', 'crash pacers']), thenMs }, { do: 'start pacer', thenMs: draws.of(pauses) }]
      case 3:
        return [step, { do: 'slow pacer', callsMs: draws.of([0, 5, 100]), watchesMs: draws.of([0, 20, 2000]), thenMs }]
      case 4:
        return [step, { do: 'fail pacer writes', count: 1 + draws.below(8), applied: draws.oneIn(2), thenMs }]
      case 5:
        // One after the other: a rollout while pods terminate.
        return [step, { do: 'delete pod', pick: draws.below(1000), thenMs }]
      case 6:
        return [step, { do: 'start second pacer', thenMs }]
      default:
        return [step]
    }
  })
}

/** Some seeds begin with situations that random steps reach too rarely. */
const openingsEvery = 16

/** A pod that never terminates, a scale that has to wait for it, and then a rollout. */
function planStuckRollout(draws: Draws): SwarmStep[] {
  const target = { kind: 'deployment', name: 'stuck' } as const
  const { apply, replicas } = drawCapped(draws, target, 2, [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: 0, maxUnavailable: 2 },
  ])
  const isForeign = draws.oneIn(2)
  return [
    apply,
    { do: 'stick pod', pick: 0, isDeleted: isForeign, thenMs: draws.of(pauses) },
    { do: 'scale', ...target, replicas: isForeign ? replicas : 0, thenMs: 5000 },
    { do: 'scale', ...target, replicas, thenMs: draws.of(pauses) },
    { do: 'image', ...target, image: 'app:2', thenMs: draws.of(pauses) },
  ]
}

/** A Deployment whose cap counts terminating pods, with `least` replicas or up to three more, and the time to start its pods. */
function drawCapped(draws: Draws, target: { kind: 'deployment'; name: string }, least: number, limits: readonly object[]) {
  const drawn = drawSpec.deployment(draws, target.name).spec as Record<string, unknown>
  const { podReplacementPolicy: _policy, terminatingAsActive: _active, ...spec } = drawn
  const replicas = least + draws.below(4)
  const policy = draws.of([{ podReplacementPolicy: 'TerminationComplete' }, { terminatingAsActive: true }])
  const strategy = { type: 'RollingUpdate', rollingUpdate: draws.of(limits) }
  const apply: SwarmStep = { do: 'apply', ...target, spec: { ...spec, replicas, strategy, ...policy }, thenMs: 30_000 }
  return { apply, replicas }
}

/** A rollout to pods that never start, a scale that has to wait for a pod that never terminates, and then a rollback or another template. */
function planPendingScale(draws: Draws): SwarmStep[] {
  const target = { kind: 'deployment', name: 'pending' } as const
  const { apply, replicas } = drawCapped(draws, target, 4, [
    { maxSurge: 1, maxUnavailable: 1 },
    { maxSurge: 0, maxUnavailable: 2 },
  ])
  return [
    apply,
    { do: 'stick pod', pick: 0, isDeleted: draws.oneIn(2), thenMs: draws.of(pauses) },
    { do: 'image', ...target, image: 'app:2', startDelay: endlessDelay, thenMs: draws.of([5000, 30_000]) },
    { do: 'scale', ...target, replicas: replicas + 2 + draws.below(2), thenMs: draws.of(pauses) },
    draws.oneIn(2)
      ? { do: 'undo', name: target.name, isOldKubectl: draws.oneIn(2), thenMs: draws.of(pauses) }
      : { do: 'image', ...target, image: 'app:3', startDelay: '1s', thenMs: draws.of(pauses) },
  ]
}

/** A ReplicaSet that is deleted in the foreground under its Deployment, and has a pod that never ends. */
function planDeletedSet(draws: Draws): SwarmStep[] {
  const target = { kind: 'deployment', name: 'deleted' } as const
  const drawn = drawSpec.deployment(draws, target.name)
  const spec = { ...drawn.spec, replicas: 1 + draws.below(5) }
  return [
    { do: 'apply', ...target, ...drawn, spec, thenMs: 30_000 },
    { do: 'stick pod', pick: draws.below(1000), isDeleted: draws.oneIn(2), thenMs: draws.of(pauses) },
    { do: 'delete set', pick: 0, propagation: draws.of(['Foreground', 'Foreground', 'Background']), thenMs: draws.of(pauses) },
  ]
}

/** ReplicaSets that are deleted under a Deployment in quick succession, mostly without their pods, while the caches are behind. */
function planLateCaches(draws: Draws): SwarmStep[] {
  const target = { kind: 'deployment', name: 'late' } as const
  const { apply } = drawCapped(draws, target, 2, [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 2 },
    { maxSurge: 2, maxUnavailable: 1 },
  ])
  const deletion = (): SwarmStep => ({
    do: 'delete set',
    pick: draws.below(1000),
    propagation: draws.of(['Orphan', 'Orphan', 'Orphan', 'Background']),
    thenMs: draws.of([0, 5, 20, 150, 1000, 5000]),
  })
  const between = (): SwarmStep => {
    const thenMs = draws.of(pauses)
    return draws.of<SwarmStep>([
      { do: 'image', ...target, image: 'app:2', thenMs },
      { do: 'delete pod', pick: draws.below(1000), thenMs },
      { do: 'scale', ...target, replicas: 2 + draws.below(4), thenMs },
      { do: draws.of(['restart controllers', 'crash controllers']), thenMs },
    ])
  }
  return [
    apply,
    { do: 'stick pod', pick: 0, isDeleted: draws.oneIn(2), thenMs: draws.of(pauses) },
    { do: 'slow down', callsMs: draws.of([0, 0, 5, 100]), watchesMs: draws.of([20, 500]), thenMs: 0 },
    deletion(),
    ...(draws.oneIn(2) ? [between(), deletion()] : []),
    between(),
    deletion(),
  ]
}

/** After each step, pods are deleted by another client and a Deployment gets several changes in one write. */
function planEdits(draws: Draws, steps: readonly SwarmStep[]): SwarmStep[] {
  const name = 'edited'
  const { apply } = drawCapped(draws, { kind: 'deployment', name }, 2, [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: 2, maxUnavailable: 2 },
  ])
  const edit = (): SwarmStep[] => [
    { do: draws.of(['delete pod', 'evict pod']), pick: draws.below(1000), thenMs: draws.of([0, 1, 20, 1000]) },
    { do: 'edit', name, patch: drawEdit(draws), thenMs: draws.of(pauses) },
  ]
  return [apply, ...edit(), ...edit(), ...edit(), ...steps.flatMap((step) => [step, ...edit()])]
}

/** A Deployment whose labels other pods and another Deployment have too, and which controllers scale and roll back. */
function planNeighbours(draws: Draws, steps: readonly SwarmStep[]): SwarmStep[] {
  const [name, canary] = ['crowded', 'crowded-canary']
  const target = { kind: 'deployment', name } as const
  const { apply } = drawCapped(draws, target, 1, [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 2 },
    { maxSurge: 2, maxUnavailable: 1 },
  ])
  let pods = 0
  const neighbour = (): SwarmStep => {
    const [thenMs, min] = [draws.of(pauses), 1 + draws.below(3)]
    return draws.of<() => SwarmStep>([
      () => ({ do: 'bare pod', name: `bare-${pods++}`, of: name, stopDelay: draws.of(['0s', '20s']), thenMs }),
      () => ({ do: 'canary', name: canary, of: name, thenMs }),
      () => ({ do: 'delete', kind: 'deployment', name: canary, propagation: draws.of(propagations), thenMs }),
      () => ({ do: 'autoscale', name, min, max: min + draws.below(3), thenMs }),
      () => ({ do: 'roll back', name, revision: draws.below(3), thenMs }),
      () => ({ do: 'image', ...target, image: `app:${1 + draws.below(3)}`, thenMs }),
      () => ({ do: 'scale', ...target, replicas: draws.below(7), thenMs }),
      () => ({ do: 'delete pod', pick: draws.below(1000), thenMs }),
      () => ({ do: 'delete set', pick: draws.below(1000), propagation: draws.of(propagations), thenMs }),
    ])()
  }
  return [apply, neighbour(), neighbour(), neighbour(), neighbour(), ...steps.flatMap((step) => [step, neighbour()])]
}

/** Two Deployments of one template and one second, of which one is deleted: the other adopts its ReplicaSet. */
function planTwins(draws: Draws): SwarmStep[] {
  const [name, of] = ['twin-b', 'twin-a']
  const [kept, deleted] = draws.of([
    [name, of],
    [of, name],
  ] as const)
  return [
    { do: 'apply', kind: 'deployment', name: of, ...drawSpec.deployment(draws, of), thenMs: draws.of([0, 1, 20]) },
    { do: 'twin', name, of, thenMs: draws.of([0, 150, 5000]) },
    { do: 'delete', kind: 'deployment', name: deleted, propagation: 'Orphan', thenMs: draws.of(pauses) },
    { do: 'scale', kind: 'deployment', name: kept, replicas: draws.below(5), thenMs: draws.of(pauses) },
  ]
}

type Made = { readonly kind: WorkloadKind; readonly name: string }

const propagations = ['Background', 'Background', 'Foreground', 'Orphan'] as const

function drawAction(draws: Draws, made: Made[], nodes: number, releasesPods: boolean): SwarmAction {
  const among = <K extends WorkloadKind>(...kinds: readonly K[]) =>
    made.filter(({ kind }) => (kinds as readonly WorkloadKind[]).includes(kind)) as { readonly kind: K; readonly name: string }[]
  const node = () => `node-${1 + draws.below(nodes)}`
  /** One of those kinds; a new workload where there is none. */
  const change = <K extends WorkloadKind>(
    kinds: readonly K[],
    draw: (target: { readonly kind: K; readonly name: string }) => SwarmAction,
  ) => {
    const those = among(...kinds)
    return those.length === 0 ? drawWorkload(draws, made) : draw(draws.of(those))
  }
  switch (draws.below(26)) {
    case 0:
    case 1:
      return drawWorkload(draws, made)
    case 2:
    case 3:
    case 4:
      return change(['deployment', 'replicaset', 'statefulset'], (target) => ({ do: 'scale', ...target, replicas: draws.below(7) }))
    case 5:
    case 6:
    case 7: {
      // A rollout to a broken template completes only after another change of the template.
      const startDelay = releasesPods ? undefined : draws.of([endlessDelay, '0s', '1s', '4s'])
      const image = `app:${1 + draws.below(4)}`
      return change(['deployment', 'statefulset', 'daemonset'], (target) => ({
        do: 'image',
        ...target,
        image,
        ...(startDelay && { startDelay }),
      }))
    }
    case 8:
      return change(['deployment'], ({ name }) => ({ do: 'undo', name, isOldKubectl: draws.oneIn(2) }))
    case 9:
      return change(['deployment'], ({ name }) => ({ do: 'policy', name, policy: drawPolicy(draws), asAnnotations: draws.oneIn(3) }))
    case 10:
      return draws.oneIn(4)
        ? change(['deployment'], ({ name }) => ({ do: 'annotate', name, value: String(draws.below(10)) }))
        : change(['deployment'], ({ name }) => ({ do: 'strategy', name, strategy: drawStrategy(draws) }))
    case 11:
    case 12:
      return change(['deployment', 'deployment', 'job', 'cronjob'], (target) => ({ do: draws.of(['hold', 'go on']), ...target }))
    case 13:
      return { do: 'delete set', pick: draws.below(1000), propagation: draws.of(propagations) }
    case 14:
    case 15:
      return draws.oneIn(5) ? { do: 'release pods' } : { do: 'stick pod', pick: draws.below(1000), isDeleted: draws.oneIn(2) }
    case 16:
      return { do: 'drop count', kind: draws.of(['deployment', 'replicaset', 'replicaset']), pick: draws.below(1000) }
    case 17:
      return { do: draws.of(['delete pod', 'evict pod']), pick: draws.below(1000) }
    case 18:
      return { do: draws.of(['restart controllers', 'crash controllers']) }
    case 19:
      return { do: 'fail writes', count: 1 + draws.below(8), applied: draws.oneIn(2) }
    case 20:
      return { do: 'slow down', callsMs: draws.of([0, 5, 100]), watchesMs: draws.of([0, 20, 500]) }
    case 21:
      return { do: draws.of(['stop node', 'start node']), name: node() }
    case 22: {
      const effect = draws.of([undefined, 'NoSchedule', 'NoExecute'] as const)
      return { do: 'taint node', name: node(), ...(effect && { effect }) }
    }
    case 23:
      if (!releasesPods || draws.oneIn(2))
        // For other kinds the number of pods is not known in advance.
        return change(['deployment', 'replicaset', 'statefulset'], ({ name }) => ({ do: 'budget', name, maxUnavailable: draws.below(2) }))
      else {
        const pods = draws.of([undefined, 4, 8])
        return { do: 'quota', ...(pods !== undefined && { pods }) }
      }
    case 24:
      return change(['deployment'], ({ name: of }) => {
        const name = `deployment-${made.length + 1}`
        made.push({ kind: 'deployment', name })
        return { do: 'twin', name, of }
      })
    default: {
      const target = draws.of(made)
      return { do: 'delete', ...target, propagation: target.kind === 'deployment' ? draws.of(propagations) : 'Background' }
    }
  }
}

function drawWorkload(draws: Draws, made: Made[]): SwarmAction {
  const kind = draws.of(['deployment', 'deployment', 'deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob'] as const)
  const name = `${kind}-${made.length + 1}`
  made.push({ kind, name })
  return { do: 'apply', kind, name, ...drawSpec[kind](draws, name) }
}
