// Jobs and pods for the tests of the planners.
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job, Pod, PodStatus, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { noBackoff } from '../plan/backoff.ts'
import type { JobSnapshot } from '../plan/facts.ts'
import { completionIndexKey, type JobPod, trackingFinalizer } from '../plan/pods.ts'

export const startMs = Date.UTC(2026, 10, 15, 12)
export const kubernetesGates = { ...defaultFeatureGates, ExtendedWorkloadConditions: false }

export function makeJob(spec: Partial<NonNullable<Job['spec']>> = {}, status: Job['status'] = {}, metadata: object = {}): Stored<Job> {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', namespace: 'default', uid: 'job', resourceVersion: '1', ...metadata },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      podReplacementPolicy: 'TerminatingOrFailed',
      suspend: false,
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'x' }], restartPolicy: 'Never' } },
      ...spec,
    },
    status,
  }
}

export interface PodTraits {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly index?: number
  readonly isTerminating?: boolean
  readonly isReady?: boolean
  readonly isCounted?: boolean
  readonly annotations?: Readonly<Record<string, string>>
  readonly status?: PodStatus
  readonly finishedAtMs?: number
  readonly spec?: object
}

export function makePod(name: string, traits: PodTraits = {}): JobPod {
  const { phase = 'Running', index, isTerminating, isReady, isCounted, annotations, status, finishedAtMs = startMs, spec } = traits
  const isFinished = phase === 'Succeeded' || phase === 'Failed'
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: formatTime(startMs) as never,
      ...(!isCounted && { finalizers: [trackingFinalizer] }),
      ...(isTerminating && { deletionTimestamp: formatTime(startMs) as never, deletionGracePeriodSeconds: 0 }),
      annotations: { ...(index !== undefined && { [completionIndexKey]: String(index) }), ...annotations },
    },
    spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
    status: {
      phase,
      ...(isReady && { conditions: [{ type: 'Ready', status: 'True' }] }),
      ...(isFinished && {
        containerStatuses: [
          {
            name: 'c',
            image: 'x',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { terminated: { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: formatTime(finishedAtMs) as never } },
          },
        ],
      }),
      ...status,
    },
  } as Stored<Pod>
}

export function makeSnapshot(job: Stored<Job>, pods: readonly JobPod[], more: Partial<JobSnapshot> = {}): JobSnapshot {
  return {
    job,
    pods,
    gates: kubernetesGates,
    nowMs: startMs + 3_600_000,
    backoff: noBackoff,
    ...more,
  }
}
