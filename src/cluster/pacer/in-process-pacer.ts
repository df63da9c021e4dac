// The pacer inside a cluster of this process: its admission in front of the controllers that create pods, and the pacer itself.

import { namespaces as namespaceKind, pods as podKind } from '../../api/kinds.ts'
import type { KubernetesObject, Pod, PodSpec } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { type EvictionRequest, reviewEviction } from '../../controllers/eviction/review-eviction.ts'
import { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { startPacer } from '../../controllers/pacer/pacer.ts'
import { hasPacedOwner, optInKey, wantsGate } from '../../controllers/pacer/plan/opt-in.ts'
import { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { startLeaderElection } from '../../runtime/leader-election/leader-election.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { NotLeadingError, unlessNotLeading } from '../remote/not-leading-error.ts'
import { wrapWrites } from '../wrapped-calls.ts'

export { hasEvictionMarks } from '../../controllers/eviction/plan/eviction-marks.ts'
export { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'

/** Which new pods of ReplicaSets and Jobs get the gate: all, or those whose workload or namespace opts in. */
export type PacerAdmissionScope = 'all' | 'asked'

interface InProcessPacerOptions {
  readonly client: Client
  readonly clock: Clock
  /** Several replicas elect a leader by their names. Absent: this is the only one. */
  readonly replica?: { readonly name: string; readonly random: Random }
  isRecorded?(kind: string, reason: string): boolean
  onFailure(what: string, error: unknown): void
}

export interface InProcessPacer {
  /** Resolves when its caches have synced, and it acts; at once for a replica, which may have to wait for another one. */
  readonly synced: Promise<void>
  /** How many pods wait at this moment. */
  waitingPods(): number
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>
}

export function startInProcessPacer(options: InProcessPacerOptions): InProcessPacer {
  const { client, clock, replica, onFailure } = options
  if (replica === undefined) return startAlone(options)
  let running: InProcessPacer | undefined
  const guarded = wrapWrites(client, (send) => (election.isLeading() ? send() : Promise.reject(new NotLeadingError())))
  const report = unlessNotLeading(onFailure)
  const election = startLeaderElection({
    client,
    clock,
    random: replica.random,
    ...leaseOfPacer,
    identity: replica.name,
    // Its caches are filled from here on: those of a standby could lack what the leader before it has released.
    onStartedLeading() {
      running = startAlone({ ...options, client: guarded, onFailure: report })
    },
    onStoppedLeading: () => void running?.stop(),
    onFailure: (error) => onFailure('leader election', error),
  })
  return {
    synced: Promise.resolve(),
    waitingPods: () => running?.waitingPods() ?? 0,
    async stop() {
      await running?.stop()
      await election.stop()
    },
  }
}

const leaseOfPacer = { namespace: 'kube-system', name: 'rollcall-pacer' }

function startAlone({ client, clock, isRecorded, onFailure }: InProcessPacerOptions): InProcessPacer {
  const informers = new SharedInformers({ client, clock, onFailure })
  const recorder = createEventRecorder({ client, clock, component: 'rollcall-pacer', onFailure, ...(isRecorded && { isRecorded }) })
  const pacer = startPacer({ client, clock, informers, recorder, onFailure })
  informers.start()
  return {
    synced: pacer.synced,
    waitingPods: () => [...pacer.waits.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    async stop() {
      informers.stop()
      await pacer.stop()
    },
  }
}

/** Decides about an eviction as the pacer does. Every Deployment counts as opted in. */
export const reviewByPacer = (client: Client, request: EvictionRequest, nowMs: number) =>
  reviewEviction(client, request, nowMs, () => Promise.resolve(true))

export interface PacerAdmission {
  /** The client with the gate added to pods that it creates. */
  wrapClient(client: Client): Client
  readonly synced: Promise<unknown>
  stop(): void
}

/** `client` is for reading. */
export function startPacerAdmission(
  scope: PacerAdmissionScope,
  { client, clock, onFailure }: Pick<InProcessPacerOptions, 'client' | 'clock' | 'onFailure'>,
): PacerAdmission {
  const gate = gateAdder()
  const admitting = (own: Client, wants: (namespace: string, pod: Pod) => boolean): Client => ({
    ...own,
    create(resource, namespace, object, options) {
      const isWanted = resource.plural === podKind.plural && resource.group === podKind.group && wants(namespace ?? '', object as Pod)
      return own.create(resource, namespace, isWanted ? (gate(object as Pod) as typeof object) : object, options)
    },
  })
  if (scope === 'all')
    return {
      wrapClient: (own) => admitting(own, (_, pod) => !pod.spec?.nodeName && hasPacedOwner(pod)),
      synced: Promise.resolve(),
      stop() {},
    }
  const informers = new SharedInformers({ client, clock, onFailure })
  const optIns = new OptIns(informers)
  const namespaces = informers.get(namespaceKind)
  informers.start()
  return {
    wrapClient: (own) =>
      admitting(own, (namespace, pod) =>
        wantsGate(pod, optIns.settingsFor(namespace, pod), namespaces.get(namespace)?.metadata.labels?.[optInKey]),
      ),
    synced: informers.synced,
    stop: () => informers.stop(),
  }
}

/** Pods of one set have one spec: so do those with the gate. */
function gateAdder(): (pod: Pod) => KubernetesObject {
  const known = new WeakMap<PodSpec, PodSpec>()
  return (pod) => {
    if (pod.spec === undefined || isGated(pod)) return pod
    const { spec } = pod
    const gated = () => ({ ...spec, schedulingGates: [...(spec.schedulingGates ?? []), { name: pacerGate }] })
    return { ...pod, spec: getOrAdd(known, spec, gated) }
  }
}
