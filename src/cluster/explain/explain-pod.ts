// What a single pod waits for: its node, image, gate, finalizer or preStop hook, and the budget that keeps it.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { isReady, isTerminal, isTerminating } from '../../controllers/shared/plan/pod-state.ts'
import { type Explanation, explanationOf, type Surroundings } from './explanation.ts'

export function explainPod(pod: Stored<Pod>, surroundings: Surroundings): Explanation {
  const { spec, status } = pod
  const owner = controllerOf(pod)
  const set = owner && surroundings.replicaSets.find(({ metadata }) => metadata.uid === owner.uid)
  const above = set && controllerOf(set)
  const chain = [owner, above].flatMap((one) => (one === undefined ? [] : [`${one.kind} ${one.name}`])).join(' of ')
  const phase = status?.phase ?? 'Pending'
  const explanation = explanationOf(
    {
      kind: 'Pod',
      object: pod,
      account: [
        `phase ${phase}${isReady(pod) ? ', ready' : ''}`,
        spec?.nodeName ? `on node ${spec.nodeName}` : 'on no node',
        chain === '' ? 'without a controller' : `of ${chain}`,
      ].join('; '),
      next: nextOf(pod, surroundings.nowMs),
      own: isTerminal(pod) && pod.metadata.deletionTimestamp === undefined ? [] : [pod],
      minReadySeconds: 0,
      refusals: [],
      ...(isTerminal(pod) && { halt: endText(pod) }),
      waitsForTerminating: () => true,
      complete: 'it is ready',
      isDone: true,
    },
    surroundings,
  )
  const [found] = explanation.pods
  if (found === undefined) return explanation
  return { ...explanation, cause: `it is ${found.state}: ${found.because.join('; ')}` }
}

function endText({ status, metadata: { finalizers = [] } }: Stored<Pod>): string {
  const result =
    status?.phase === 'Succeeded'
      ? 'it has succeeded'
      : `it has failed: ${[status?.reason, status?.message].filter(Boolean).join(': ') || 'a container has failed'}`
  return finalizers.length === 0
    ? result
    : `${result}; kept by ${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`
}

/** What happens without anybody else's doing. */
function nextOf(pod: Stored<Pod>, nowMs: number): readonly string[] {
  if (!isTerminating(pod)) return []
  const leftMs = parseTime(pod.metadata.deletionTimestamp ?? '') - nowMs
  return leftMs > 0 && pod.spec?.nodeName ? [`be killed in ${Math.ceil(leftMs / 1000)}s, if it has not ended before`] : []
}
