// What a DaemonSet waits for, by its planner.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { DaemonSet, Stored } from '../../api/types.ts'
import { placementOf } from '../../controllers/daemon-set/plan/placement.ts'
import { planDaemonSet } from '../../controllers/daemon-set/plan/plan.ts'
import { isUpdated, nodeOf, revisionLabel } from '../../controllers/daemon-set/plan/pods.ts'
import { newRevision, planHistory } from '../../controllers/daemon-set/plan/revisions.ts'
import { isTerminal, isTerminating } from '../../controllers/shared/plan/pod-state.ts'
import { deletionText } from './explain-replica-set.ts'
import { type Explanation, explanationOf, podsText, type Surroundings, staysText, writesText } from './explanation.ts'
import { refusalIn } from './warnings.ts'

export function explainDaemonSet(set: Stored<DaemonSet>, surroundings: Surroundings): Explanation {
  const { uid } = set.metadata
  const { gates, nodes, nowMs, revisions } = surroundings
  const pods = surroundings.pods.filter((pod) => controllerOf(pod)?.uid === uid)
  const { current, number } = planHistory(
    set,
    revisions.filter((revision) => controllerOf(revision)?.uid === uid),
  )
  const { metadata } = current ?? newRevision(set, number)
  const hash = metadata.labels?.[revisionLabel] ?? ''
  const place = placementOf(set)
  const plan = planDaemonSet({ set, pods, nodes, place, revision: { name: metadata.name, hash }, backoffs: new Map(), gates, nowMs })
  const existing = pods.filter((pod) => !isTerminal(pod))
  const old = existing.filter((pod) => !isTerminating(pod) && !isUpdated(pod, set, hash))
  const lost = nodes.filter((node) => place(node).isLost).map((node) => node.metadata.name)
  const { desiredNumberScheduled: desired, numberReady } = plan.status
  const served = new Set(pods.map(nodeOf))
  const unserved = nodes.filter((node) => place(node).shouldRun && !served.has(node.metadata.name)).length
  const isOnDelete = set.spec?.updateStrategy?.type === 'OnDelete'
  const kept = old.length > 0 && isOnDelete ? `; ${staysText(old.length)} until deleted, because of updateStrategy OnDelete` : ''
  const next = [
    ...(plan.create.length === 0 ? [] : [`create ${podsText(plan.create.length)} on ${nodesText(plan.create)}`]),
    ...writesText(
      'delete',
      plan.delete.map((pod) => pod.metadata.name),
    ),
  ]
  return explanationOf(
    {
      kind: 'DaemonSet',
      object: set,
      observedGeneration: set.status?.observedGeneration ?? 0,
      account: `${desired} ${desired === 1 ? 'node' : 'nodes'} should run it; ${podsText(existing.length)}: ${numberReady} ready, ${existing.filter(isTerminating).length} terminating, ${old.length} of an older revision${lost.length === 0 ? '' : `; no pod is created on ${nodesText(lost)}, which ${lost.length === 1 ? 'is' : 'are'} not reachable`}`,
      next,
      // One that has ended keeps its place on its node until it no longer exists.
      own: pods.filter((pod) => !isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined),
      minReadySeconds: set.spec?.minReadySeconds ?? 0,
      refusals: unserved > 0 ? refusalIn(surroundings.warnings, uid) : [],
      ...(set.metadata.deletionTimestamp !== undefined && { halt: deletionText(set) }),
      waitsForTerminating: ({ unavailable }) => next.length === 0 && unavailable.length === 0,
      complete: `it is complete${kept}`,
      isDone: next.length === 0 && unserved === 0 && (old.length === 0 || isOnDelete),
    },
    surroundings,
  )
}

const maxNodes = 3
const nodesText = (names: readonly string[]) =>
  `${names.length === 1 ? 'node' : 'nodes'} ${names.slice(0, maxNodes).join(', ')}${names.length > maxNodes ? ` and ${names.length - maxNodes} more` : ''}`
