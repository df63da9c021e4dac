// What a StatefulSet waits for, by its planner.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Pod, StatefulSet, Stored } from '../../api/types.ts'
import { isReady, isTerminal, isTerminating } from '../../controllers/shared/plan/pod-state.ts'
import { sortRevisions, templateOf } from '../../controllers/shared/plan/revision.ts'
import { isInRange, ordinalOf, revisionOf } from '../../controllers/stateful-set/plan/identity.ts'
import { planStatefulSet } from '../../controllers/stateful-set/plan/plan.ts'
import { newRevision, planUpdateRevision } from '../../controllers/stateful-set/plan/revisions.ts'
import type { RevisionInUse, StatefulSetAction } from '../../controllers/stateful-set/plan/snapshot.ts'
import { deletionText } from './explain-replica-set.ts'
import { type Explanation, explanationOf, podsText, type Surroundings, staysText, writesText } from './explanation.ts'
import { refusalIn } from './warnings.ts'

export function explainStatefulSet(set: Stored<StatefulSet>, surroundings: Surroundings): Explanation {
  const { uid } = set.metadata
  const { gates, nowMs, claims } = surroundings
  const pods = surroundings.pods.filter((pod) => controllerOf(pod)?.uid === uid)
  const inUse = revisionsInUse(set, surroundings)
  const claimByName = new Map(claims.map((claim) => [claim.metadata.name, claim]))
  const snapshot = { set, pods, findClaim: (name: string) => claimByName.get(name), ...inUse, collisionCount: 0, gates, nowMs }
  const actions = planStatefulSet(snapshot).steps.flatMap((step) => step.actions)
  const next = nextOf(actions)
  const { replicas = 1, updateStrategy } = set.spec ?? {}
  const existing = pods.filter((pod) => !isTerminal(pod))
  const old = existing.filter((pod) => !isTerminating(pod) && revisionOf(pod) !== inUse.update.name)
  // One that has ended keeps its name until it no longer exists.
  const ended = pods.filter((pod) => isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)
  const missing = replicas - existing.filter((pod) => isInRange(set, ordinalOf(pod))).length
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0
  const kept =
    old.length === 0
      ? ''
      : updateStrategy?.type === 'OnDelete'
        ? `; ${staysText(old.length)} until deleted, because of updateStrategy OnDelete`
        : partition > 0
          ? `; ${staysText(old.length)} below partition ${partition}`
          : ''
  return explanationOf(
    {
      kind: 'StatefulSet',
      object: set,
      observedGeneration: set.status?.observedGeneration ?? 0,
      account: `${replicas} replicas; ${podsText(existing.length)}: ${existing.filter((pod) => !isTerminating(pod) && isReady(pod)).length} ready, ${existing.filter(isTerminating).length} terminating, ${old.length} of an older revision`,
      next,
      own: [...existing, ...ended],
      minReadySeconds: set.spec?.minReadySeconds ?? 0,
      refusals: missing > 0 ? refusalIn(surroundings.warnings, uid) : [],
      ...(set.metadata.deletionTimestamp !== undefined && { halt: deletionText(set) }),
      waitsForTerminating: ({ unavailable }) =>
        next.length === 0 && (missing > 0 || unavailable.length === 0 || blocksFirst([...existing, ...ended])),
      complete: `it is complete${kept}`,
      isDone: next.length === 0 && missing === 0 && (old.length === 0 || kept !== ''),
    },
    surroundings,
  )
}

/** With OrderedReady the first pod that is not ready holds up the later ones. */
function blocksFirst(pods: readonly Stored<Pod>[]): boolean {
  const isDeleted = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp !== undefined
  const first = [...pods].sort((a, b) => ordinalOf(a) - ordinalOf(b)).find((pod) => isDeleted(pod) || !isReady(pod))
  return first !== undefined && isDeleted(first)
}

const nameIn = ({ pod }: StatefulSetAction): string => pod.metadata.name

function nextOf(actions: readonly StatefulSetAction[]): readonly string[] {
  const named = (type: StatefulSetAction['type']) => actions.filter((action) => action.type === type).map(nameIn)
  return [
    ...writesText('create', named('create-pod')),
    ...writesText('delete', named('delete-pod')),
    ...writesText('correct', named('update-pod')),
    ...named('complete-claims').map((name) => `create the volume claims of pod ${name}`),
    ...named('own-claims').map((name) => `become the owner of the volume claims of pod ${name}`),
  ]
}

/** As the controller would find them, without writing a missing one. */
function revisionsInUse(set: Stored<StatefulSet>, { revisions }: Surroundings): { current: RevisionInUse; update: RevisionInUse } {
  const all = sortRevisions(revisions.filter((revision) => controllerOf(revision)?.uid === set.metadata.uid))
  const plan = planUpdateRevision(set, all)
  const name =
    plan.action === 'create' ? newRevision(set, plan.number, set.status?.collisionCount ?? 0).metadata.name : plan.revision.metadata.name
  const update = { name, template: set.spec?.template }
  const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision)
  return { update, current: current === undefined ? update : { name: current.metadata.name, template: templateOf(current) } }
}
