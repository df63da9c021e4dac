// Invariants of every pod, whatever its spec and its history.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validatePodStatusUpdate } from '../../api/kinds/core/pod/validation/status.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Pod } from '../../api/types.ts'
import { noFiles } from '../shell/files.ts'
import { crashedState } from './container-crash.ts'
import { virtualTiming } from './pod-settings.ts'
import { firstState } from './pod-sync.ts'
import { resumedState } from './resumed-state.ts'
import type { PodEnvironment } from './sync-context.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

const environment: PodEnvironment = {
  salt: 3,
  timing: virtualTiming,
  images: {},
  hostIp: '172.18.0.2',
  podIp: '10.244.0.2',
  hostFiles: noFiles,
  isImagePresent: () => false,
}

const startMs = Date.UTC(2026, 10, 1, 12)
const command = fc.constantFrom(
  undefined,
  ['true'],
  ['sleep', '7'],
  ['sh', '-c', 'exit 3'],
  ['sh', '-c', 'while true; do echo x; sleep 3; done'],
  ['sh', '-c', 'trap "sleep 2; exit 0" TERM; while true; do sleep 1; done'],
  ['sh', '-c', '[ -f /data/x ] && exit 0; touch /data/x; exit 1'],
  ['./unknown'],
)
const probe = fc.option(
  fc.record({
    periodSeconds: fc.integer({ min: 1, max: 5 }),
    initialDelaySeconds: fc.integer({ min: 0, max: 5 }),
    failureThreshold: fc.integer({ min: 1, max: 3 }),
    ...{
      handler: fc.constantFrom(
        { httpGet: { port: 80 } },
        { exec: { command: ['sh', '-c', '[ -f /data/x ]'] } },
        { tcpSocket: { port: 80 } },
      ),
    },
  }),
  { nil: undefined },
)
const asProbe = (made: { handler: object } | undefined) =>
  made === undefined ? undefined : { ...made, ...made.handler, handler: undefined }
const container = fc.record({
  image: fc.constantFrom('nginx', 'busybox', 'shop/web:1', 'x:missing'),
  command,
  readinessProbe: probe.map(asProbe),
  livenessProbe: probe.map(asProbe),
  startupProbe: probe.map(asProbe),
  lifecycle: fc.constantFrom(
    undefined,
    undefined,
    { preStop: { sleep: { seconds: 4 } } },
    { preStop: { exec: { command: ['sleep', '9'] } } },
  ),
  volumeMounts: fc.constant([{ name: 'data', mountPath: '/data' }]),
})
const named = (prefix: string, containers: readonly object[]) => containers.map((one, index) => ({ ...one, name: `${prefix}${index}` }))
const annotations = fc.dictionary(
  fc
    .constantFrom('start-delay', 'ready-delay', 'stop-delay', 'exit-code', 'run-for', 'fail-probe', 'overrun', 'pull-delay')
    .map((name) => `rollcall.dev/${name}`),
  fc.constantFrom('0s', '3s', '5s±2s', '1m', '3', '1@50%', 'readiness', 'liveness@4s', 'all', 'nonsense'),
  { maxKeys: 3 },
)
const pod = fc
  .record({
    annotations,
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    inits: fc.array(fc.tuple(container, fc.boolean()), { maxLength: 2 }),
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    activeDeadlineSeconds: fc.constantFrom(undefined, undefined, 20),
  })
  .map(
    ({ annotations, containers, inits, restartPolicy, activeDeadlineSeconds }) =>
      ({
        metadata: { name: 'web', namespace: 'shop', uid: 'u', generation: 1, annotations },
        spec: {
          restartPolicy,
          activeDeadlineSeconds,
          terminationGracePeriodSeconds: 10,
          volumes: [{ name: 'data', emptyDir: {} }],
          containers: named('c', containers),
          initContainers: named(
            'i',
            inits.map(([one, isSidecar]) => ({ ...one, ...(isSidecar && { restartPolicy: 'Always' }) })),
          ),
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      }) as unknown as Pod,
  )
const edit = fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom('delete', 'delete-now', 'crash', 'annotate', 'resume', 'image'))

const countsOf = ({ status }: Pod) =>
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(({ restartCount }) => restartCount)
const isLast = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

describe('syncPod() with random pods', () => {
  it('advances in time, keeps a final phase, never decreases a counter, and reports only valid statuses', () => {
    fc.assert(
      fc.property(pod, fc.array(edit, { maxLength: 3 }), (first, edits) => {
        let current = first
        let state = firstState(current, startMs, environment)
        const pending = edits.map(([ms, what]) => ({ atMs: startMs + ms, what })).sort((a, b) => a.atMs - b.atMs)
        let nowMs = startMs
        for (let looks = 0; looks < 150; looks++) {
          for (let next = pending[0]; next !== undefined && next.atMs <= nowMs; next = pending[0]) {
            pending.shift()
            const { metadata } = current
            if (next.what === 'crash') state = crashedState(state, current, 1, nowMs)
            else if (next.what === 'resume') state = metadata?.deletionTimestamp ? state : resumedState(current, nowMs, environment)
            else if (next.what === 'annotate')
              current = { ...current, metadata: { ...metadata, annotations: { 'rollcall.dev/fail-probe': 'all' } } }
            else if (next.what === 'image')
              current = {
                ...current,
                spec: { ...current.spec!, containers: current.spec!.containers.map((one) => ({ ...one, image: 'httpd' })) },
              }
            else {
              const seconds = next.what === 'delete' ? 10 : 1
              current = {
                ...current,
                metadata: { ...metadata, deletionTimestamp: '2026-11-01T12:00:00Z', deletionGracePeriodSeconds: seconds },
              }
            }
          }
          const step = syncWithStatus(state, current, nowMs, environment)
          const next = { ...current, status: step.status }
          expect(validatePodStatusUpdate(next, current, { gates: defaultFeatureGates })).toEqual([])
          if (isLast(current)) expect(step.status.phase).toBe(current.status?.phase)
          for (const [index, count] of countsOf(current).entries()) expect(countsOf(next)[index]).toBeGreaterThanOrEqual(count)
          if (step.requeueAtMs !== undefined) expect(step.requeueAtMs).toBeGreaterThan(nowMs)
          if (step.state.isDone) {
            expect(isLast(next)).toBe(true)
            expect(step.requeueAtMs).toBeUndefined()
          }
          expect(syncWithStatus(step.state, next, nowMs, environment).status).toEqual(step.status)
          state = step.state
          current = next
          const wakeMs = Math.min(step.requeueAtMs ?? Number.POSITIVE_INFINITY, pending[0]?.atMs ?? Number.POSITIVE_INFINITY)
          if (!Number.isFinite(wakeMs)) return
          nowMs = wakeMs
        }
      }),
      { numRuns: 60 },
    )
  })
})
