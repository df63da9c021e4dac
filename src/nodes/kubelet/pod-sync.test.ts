import { describe, expect, it } from 'vitest'
import type { ContainerStatus, Pod, PodStatus, Service } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { noFiles } from '../shell/files.ts'
import type { PodState } from './pod-state.ts'
import { firstState, rejectedState } from './pod-sync.ts'
import { resumedState } from './resumed-state.ts'
import type { PodEnvironment, PodEvent } from './sync-context.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

const startMs = Date.UTC(2026, 10, 1, 12)
const fixed = (ms: number) => ({ ms, spreadMs: 0 })
const environment: PodEnvironment = {
  salt: 1,
  timing: { pull: fixed(0), start: fixed(100), ready: fixed(0), stop: fixed(50) },
  images: { missing: ['shop/gone'] },
  hostIp: '172.18.0.2',
  podIp: '10.244.0.2',
  hostFiles: noFiles,
  isImagePresent: () => true,
}

function makePod(spec: object, annotations: Record<string, string> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1', generation: 1, annotations },
    spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, containers: [{ name: 'c', image: 'nginx' }], ...spec },
    status: { phase: 'Pending' },
  } as Pod
}

const shownState = ({ name, state, ready, started, restartCount }: ContainerStatus) => {
  const { waiting, running, terminated } = state ?? {}
  const what = waiting ? waiting.reason : terminated ? `${terminated.reason}(${terminated.exitCode})` : running ? 'running' : '?'
  return `${name}=${what}${running && started ? '+' : ''}${ready ? '!' : ''}${restartCount ? `x${restartCount}` : ''}`
}

/** `+`: started, `!`: ready, `x2`: restarted twice, `R`: the pod is ready. */
function shown({ phase, reason, containerStatuses = [], initContainerStatuses = [], conditions = [] }: PodStatus): string {
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  return [phase, reason, ...initContainerStatuses.map(shownState), ...containerStatuses.map(shownState), isReady && 'R']
    .filter(Boolean)
    .join(' ')
}

interface Life {
  /** `seconds: status`, one line for each change. */
  readonly lines: string[]
  readonly events: PodEvent[]
  readonly printed: string
  readonly pod: Pod
  readonly state: PodState
  readonly looks: number
}

type Edit = (pod: Pod) => Pod

const remove =
  (graceSeconds: number): Edit =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(startMs), deletionGracePeriodSeconds: graceSeconds } })
const annotate =
  (name: string, value: string): Edit =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { [name]: value } } })

/** Syncs the pod over time, and applies the edits at their seconds. */
function live(first: Pod, untilSeconds: number, edits: Readonly<Record<number, Edit>> = {}, pullOrStart = firstState): Life {
  let pod = first
  let state = pullOrStart(pod, startMs, environment)
  let hostFiles = noFiles
  const lines: string[] = []
  const events: PodEvent[] = []
  let printed = ''
  let looks = 0
  const pending = Object.entries(edits).map(([seconds, edit]) => ({ atMs: startMs + Number(seconds) * 1000, edit }))
  for (let nowMs: number | undefined = startMs; nowMs !== undefined && nowMs <= startMs + untilSeconds * 1000; looks++) {
    if (pending[0]?.atMs === nowMs) pod = pending.shift()!.edit(pod)
    const step = syncWithStatus(state, pod, nowMs, { ...environment, hostFiles })
    expect(syncWithStatus(state, pod, nowMs, { ...environment, hostFiles })).toEqual(step)
    state = step.state
    hostFiles = step.hostFiles
    events.push(...step.events)
    printed += step.output.flatMap(({ output }) => output.map(({ text }) => text)).join('')
    const before = shown(pod.status!)
    pod = { ...pod, status: step.status }
    if (shown(step.status) !== before) lines.push(`${(nowMs - startMs) / 1000}: ${shown(step.status)}`)
    const next: number = Math.min(step.requeueAtMs ?? Number.POSITIVE_INFINITY, pending[0]?.atMs ?? Number.POSITIVE_INFINITY)
    nowMs = Number.isFinite(next) ? next : undefined
    expect(looks).toBeLessThan(2000)
  }
  return { lines, events, printed, pod, state, looks }
}

const shell = (script: string, more: object = {}) => ({ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more })
const job = (script: string, restartPolicy = 'Never') => ({ restartPolicy, containers: [shell(script)] })

describe('syncPod()', () => {
  it.each<[name: string, pod: Pod, untilSeconds: number, lines: string[], edits?: Record<number, Edit>]>([
    ['a server', makePod({}), 60, ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R']],
    [
      'a server that is slow to start',
      makePod({}, { 'rollcall.dev/start-delay': '5s' }),
      60,
      ['0: Pending c=ContainerCreating', '5: Running c=running+! R'],
    ],
    [
      'a slow image pull',
      makePod({ containers: [{ name: 'c', image: 'nginx', imagePullPolicy: 'Always' }] }, { 'rollcall.dev/pull-delay': '20s' }),
      60,
      ['0: Pending c=ContainerCreating', '20.1: Running c=running+! R'],
    ],
    [
      'a missing image with the pull policy Never',
      makePod({ containers: [{ name: 'c', image: 'shop/gone', imagePullPolicy: 'Never' }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Pending c=ErrImageNeverPull'],
    ],
    [
      'a server that needs time',
      makePod({}, { 'rollcall.dev/ready-delay': '7s' }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+', '7.1: Running c=running+! R'],
    ],
    [
      'a job that succeeds',
      makePod(job('sleep 5')),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '5.1: Succeeded c=Completed(0)'],
    ],
    ['a job that fails at once', makePod(job('exit 3')), 60, ['0: Pending c=ContainerCreating', '0.1: Failed c=Error(3)']],
    [
      'a job by annotation',
      makePod({ restartPolicy: 'Never' }, { 'rollcall.dev/run-for': '8s', 'rollcall.dev/exit-code': '9' }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '8.1: Failed c=Error(9)'],
    ],
    [
      'a base image without a command',
      makePod({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Succeeded c=Completed(0)'],
    ],
    [
      'an unknown program in a job',
      makePod({ restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'perl:5', command: ['perl', '-e', '1'] }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '3.1: Succeeded c=Completed(0)'],
    ],
    [
      'a program that is not in the image',
      makePod({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['nope'] }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Failed c=StartError(128)'],
    ],
    [
      'a container that crashes, later and later',
      makePod({ containers: [shell('sleep 1; exit 2')] }),
      80,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Running c=running+! R',
        '1.1: Running c=Error(2)',
        '1.2: Running c=running+!x1 R',
        '2.2: Running c=CrashLoopBackOffx1',
        '12.2: Running c=running+!x2 R',
        '13.2: Running c=CrashLoopBackOffx2',
        '33.2: Running c=running+!x3 R',
        '34.2: Running c=CrashLoopBackOffx3',
        '74.2: Running c=running+!x4 R',
        '75.2: Running c=CrashLoopBackOffx4',
      ],
    ],
    [
      'a container that runs long between two ends',
      makePod({ containers: [shell('sleep 700; exit 2')] }),
      1500,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Running c=running+! R',
        '700.1: Running c=Error(2)',
        '700.2: Running c=running+!x1 R',
        '1400.2: Running c=Error(2)x1',
        '1400.3: Running c=running+!x2 R',
      ],
    ],
    [
      'a job that restarts its container',
      makePod({
        ...job('[ -f /data/x ] && exit 0; touch /data/x; exit 1', 'OnFailure'),
        volumes: [{ name: 'data', emptyDir: {} }],
        containers: [shell('[ -f /data/x ] && exit 0; touch /data/x; exit 1', { volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
      }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=Error(1)', '0.2: Succeeded c=Completed(0)x1'],
    ],
    [
      'init containers, one after the other',
      makePod({
        initContainers: [
          { ...shell('sleep 2'), name: 'a' },
          { ...shell('sleep 3'), name: 'b' },
        ],
      }),
      60,
      [
        '0: Pending a=PodInitializing b=PodInitializing c=PodInitializing',
        '0.1: Pending a=running+ b=PodInitializing c=PodInitializing',
        '2.1: Pending a=Completed(0)! b=running+ c=PodInitializing',
        '5.1: Running a=Completed(0)! b=Completed(0)! c=running+! R',
      ],
    ],
    [
      'an init container that fails, for good',
      makePod({ restartPolicy: 'Never', initContainers: [{ ...shell('exit 1'), name: 'a' }] }),
      60,
      ['0: Pending a=PodInitializing c=PodInitializing', '0.1: Failed a=Error(1) c=PodInitializing'],
    ],
    [
      'an init container that fails, and is tried again',
      makePod({ initContainers: [{ ...shell('exit 1'), name: 'a' }] }),
      11,
      [
        '0: Pending a=PodInitializing c=PodInitializing',
        '0.1: Pending a=Error(1) c=PodInitializing',
        '0.2: Pending a=CrashLoopBackOffx1 c=PodInitializing',
        '10.2: Pending a=CrashLoopBackOffx2 c=PodInitializing',
      ],
    ],
    [
      'a sidecar that starts first and stops last',
      makePod({
        ...job('sleep 5'),
        initContainers: [
          {
            name: 's',
            image: 'nginx',
            restartPolicy: 'Always',
            startupProbe: { httpGet: { port: 80 }, initialDelaySeconds: 2, periodSeconds: 1 },
          },
        ],
      }),
      60,
      [
        '0: Pending s=PodInitializing c=PodInitializing',
        '0.1: Pending s=running c=PodInitializing',
        '2.1: Running s=running+! c=running+! R',
        '7.1: Running s=running+! c=Completed(0)',
        '7.15: Succeeded s=Completed(0) c=Completed(0)',
      ],
    ],
    [
      'a readiness probe with a threshold of three',
      makePod({
        containers: [
          {
            name: 'c',
            image: 'nginx',
            readinessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 2, successThreshold: 3 },
          },
        ],
      }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+', '9.1: Running c=running+! R'],
    ],
    [
      'a readiness probe by command',
      makePod({
        containers: [
          shell('sleep 4; touch /tmp/ok; sleep 4; rm /tmp/ok; sleep 1000', {
            readinessProbe: { exec: { command: ['cat', '/tmp/ok'] }, periodSeconds: 1, failureThreshold: 2 },
          }),
        ],
      }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+', '4.1: Running c=running+! R', '9.1: Running c=running+'],
    ],
    [
      'a readiness file that an unknown program writes',
      makePod({
        containers: [{ name: 'c', image: 'shop/app', readinessProbe: { exec: { command: ['cat', '/var/run/ready'] }, periodSeconds: 1 } }],
      }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R'],
    ],
    [
      'a readiness file that the script of an unknown image writes',
      makePod({
        containers: [
          shell('sleep 4; touch /tmp/ok; sleep 1000', {
            image: 'shop/app',
            readinessProbe: { exec: { command: ['sh', '-c', '[ -f /tmp/ok ]'] }, periodSeconds: 1 },
          }),
        ],
      }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+', '4.1: Running c=running+! R'],
    ],
    [
      'an init container that copies a program of its image into a volume',
      makePod({
        volumes: [{ name: 'bin', emptyDir: {} }],
        initContainers: [
          shell('cp /usr/local/bin/tool /bin-dir/tool && [ -f /bin-dir/tool ]', {
            name: 'a',
            image: 'shop/tool',
            volumeMounts: [{ name: 'bin', mountPath: '/bin-dir' }],
          }),
        ],
      }),
      20,
      ['0: Pending a=PodInitializing c=PodInitializing', '0.1: Running a=Completed(0)! c=running+! R'],
    ],
    [
      'a copy of a file that a known image does not have',
      makePod(job('cp /usr/local/bin/tool /tmp/tool')),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Failed c=Error(1)'],
    ],
    [
      'a readiness probe that an annotation breaks and mends',
      makePod({
        containers: [{ name: 'c', image: 'nginx', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 3 } }],
      }),
      40,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '12.1: Running c=running+', '20.1: Running c=running+! R'],
      { 10: annotate('rollcall.dev/fail-probe', 'readiness'), 20: annotate('x', 'y') },
    ],
    [
      'a liveness probe that fails after a while',
      makePod(
        { containers: [{ name: 'c', image: 'nginx', livenessProbe: { httpGet: { port: 80 }, periodSeconds: 10, failureThreshold: 2 } }] },
        { 'rollcall.dev/fail-probe': 'liveness@25s' },
      ),
      60,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Running c=running+! R',
        '40.1: Running c=running+',
        '40.15: Running c=Completed(0)',
        '40.25: Running c=running+!x1 R',
      ],
    ],
    [
      'a server that is well for ten seconds',
      makePod({
        containers: [
          {
            name: 'c',
            image: 'agnhost:2',
            args: ['liveness'],
            livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 4, periodSeconds: 4, failureThreshold: 1 },
          },
        ],
      }),
      14,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Running c=running+! R',
        '12.1: Running c=running+',
        '12.15: Running c=Error(2)',
        '12.25: Running c=running+!x1 R',
      ],
    ],
    [
      'a startup probe that never passes',
      makePod(
        {
          restartPolicy: 'Never',
          containers: [{ name: 'c', image: 'nginx', startupProbe: { httpGet: { port: 80 }, periodSeconds: 5, failureThreshold: 3 } }],
        },
        { 'rollcall.dev/fail-probe': 'startup' },
      ),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running', '10.15: Succeeded c=Completed(0)'],
    ],
    [
      'a readiness gate',
      makePod({ readinessGates: [{ conditionType: 'example.com/ok' }] }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+!', '10: Running c=running+! R'],
      {
        10: (pod) => ({
          ...pod,
          status: { ...pod.status, conditions: [{ type: 'example.com/ok', status: 'True' }, ...(pod.status?.conditions ?? [])] },
        }),
      },
    ],
    [
      'a deadline',
      makePod({ activeDeadlineSeconds: 10 }),
      60,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Running c=running+! R',
        '10: Failed DeadlineExceeded c=running+!',
        '10.05: Failed DeadlineExceeded c=Completed(0)',
      ],
    ],
    [
      'a deletion',
      makePod({}),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10.05: Succeeded c=Completed(0)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of what does not listen',
      makePod({ containers: [shell("trap '' TERM; sleep 1000")] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '40: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of what sleeps as the first process of its container',
      makePod({ containers: [shell('sleep 1000')] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '40: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of a script that traps nothing',
      makePod({ containers: [shell('while true; do sleep 1; done')] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '40: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of what sleeps and is not the first process',
      makePod({ shareProcessNamespace: true, containers: [shell('sleep 1000')] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10.05: Failed c=Error(143)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of what sleeps below an init',
      makePod({ containers: [{ name: 'c', image: 'busybox', command: ['tini', '--', 'sleep', '1000'] }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10.05: Failed c=Error(143)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of an unknown program that replaced its shell',
      makePod({ containers: [{ name: 'c', image: 'shop/app:1', command: ['sh', '-c', 'umask 0 && serve-shop --port 80'] }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10.05: Failed c=Error(143)'],
      { 10: remove(30) },
    ],
    [
      'a deletion of an unknown program below a shell',
      makePod({ containers: [{ name: 'c', image: 'shop/app:1', command: ['sh', '-c', 'serve-shop; echo over'] }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '40: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a deletion that is trapped',
      makePod({ containers: [shell('trap "sleep 3; exit 0" TERM; while true; do sleep 1; done')] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '13.1: Succeeded c=Completed(0)'],
      { 10: remove(30) },
    ],
    [
      'a slow deletion',
      makePod({}, { 'rollcall.dev/stop-delay': '12s' }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '22: Succeeded c=Completed(0)'],
      { 10: remove(30) },
    ],
    [
      'a deletion whose grace is cut short',
      makePod({}, { 'rollcall.dev/stop-delay': '1h' }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '15: Failed c=Error(137)'],
      { 10: remove(30), 15: remove(1) },
    ],
    [
      'a deletion that overruns',
      makePod({}, { 'rollcall.dev/stop-delay': '1h', 'rollcall.dev/overrun': '20s' }),
      90,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '60: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a preStop hook',
      makePod({ containers: [{ name: 'c', image: 'nginx', lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 15'] } } } }] }),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '25.05: Succeeded c=Completed(0)'],
      { 10: remove(30) },
    ],
    [
      'a preStop hook that uses up the grace period',
      makePod(
        { containers: [{ name: 'c', image: 'nginx', lifecycle: { preStop: { sleep: { seconds: 100 } } } }] },
        { 'rollcall.dev/stop-delay': '1h' },
      ),
      60,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '42: Failed c=Error(137)'],
      { 10: remove(30) },
    ],
    [
      'a deletion before the start',
      makePod({}, { 'rollcall.dev/start-delay': '1h' }),
      60,
      ['0: Pending c=ContainerCreating', '10: Failed c=ContainerStatusUnknown(137)'],
      { 10: remove(30) },
    ],
    [
      'an image that is changed',
      makePod({}),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10.05: Running c=running+!x1 R'],
      { 10: (pod) => ({ ...pod, spec: { ...pod.spec!, containers: [{ name: 'c', image: 'httpd' }] } }) },
    ],
    [
      'an image that is changed, with a policy that restarts nothing and a slow pull',
      makePod(
        { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx', imagePullPolicy: 'Always' }] },
        { 'rollcall.dev/pull-delay': '3s' },
      ),
      20,
      [
        '0: Pending c=ContainerCreating',
        '3.1: Running c=running+! R',
        '10.05: Running c=ContainerCreating',
        '13.05: Running c=running+!x1 R',
      ],
      { 10: (pod) => ({ ...pod, spec: { ...pod.spec!, containers: [{ ...pod.spec!.containers[0]!, image: 'httpd' }] } }) },
    ],
    [
      'a final phase written by another client',
      makePod({}),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Running c=running+! R', '10: Failed c=running+!', '10.05: Failed c=Completed(0)'],
      { 10: (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } }) },
    ],
    [
      'a postStart hook that fails',
      makePod({
        restartPolicy: 'Never',
        containers: [{ name: 'c', image: 'nginx', lifecycle: { postStart: { exec: { command: ['sh', '-c', 'exit 1'] } } } }],
      }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Failed c=Error(137)'],
    ],
    [
      'a container that ran out of memory',
      makePod({ restartPolicy: 'Never' }, { 'rollcall.dev/exit-code': '137', 'rollcall.dev/exit-reason': 'OOMKilled' }),
      20,
      ['0: Pending c=ContainerCreating', '0.1: Failed c=OOMKilled(137)'],
    ],
    [
      'an image that is missing',
      makePod({ containers: [{ name: 'c', image: 'nginx:missing' }] }),
      12,
      [
        '0: Pending c=ContainerCreating',
        '0.1: Pending c=ErrImagePull',
        '1.1: Pending c=ImagePullBackOff',
        '10.1: Pending c=ErrImagePull',
        '11.1: Pending c=ImagePullBackOff',
      ],
    ],
    [
      'an image name that is none',
      makePod({ containers: [{ name: 'c', image: 'Nginx:1' }] }),
      12,
      ['0: Pending c=ContainerCreating', '0.1: Pending c=InvalidImageName'],
    ],
  ])('lives %s', (_, pod, untilSeconds, lines, edits) => {
    expect(live(pod, untilSeconds, edits).lines).toEqual(lines)
  })

  it('requests no further sync when nothing is due', () => {
    const probe = { httpGet: { port: 80 }, periodSeconds: 1 }
    const pod = makePod({ containers: [{ name: 'c', image: 'nginx', readinessProbe: probe, livenessProbe: probe }] })
    expect(live(pod, 3600).looks).toBe(2)
  })

  it('reports addresses, times and container ids', () => {
    const { pod } = live(makePod({ containers: [shell('sleep 1; exit 2')] }), 3)
    expect(pod.status).toMatchObject({
      phase: 'Running',
      startTime: '2026-11-01T12:00:00Z',
      observedGeneration: 1,
      hostIP: '172.18.0.2',
      hostIPs: [{ ip: '172.18.0.2' }],
      podIP: '10.244.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
    })
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container=c pod=web_shop(u-1)' } },
      lastState: { terminated: { exitCode: 2, reason: 'Error', startedAt: '2026-11-01T12:00:01Z', finishedAt: '2026-11-01T12:00:02Z' } },
    })
    const conditions = Object.fromEntries((pod.status?.conditions ?? []).map(({ type, ...rest }) => [type, rest]))
    expect(conditions['Ready']).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [c]',
      lastTransitionTime: '2026-11-01T12:00:02Z',
    })
    expect(conditions['Initialized']).toMatchObject({ status: 'True', lastTransitionTime: '2026-11-01T12:00:00Z' })
  })

  it('gives every run of a container its own id, and keeps the id of the previous run', () => {
    const early = live(makePod({ containers: [shell('sleep 1; exit 2')] }), 1).pod.status?.containerStatuses?.[0]
    const late = live(makePod({ containers: [shell('sleep 1; exit 2')] }), 1.5).pod.status?.containerStatuses?.[0]
    expect(late?.lastState?.terminated?.containerID).toBe(early?.containerID)
    expect(late?.containerID).not.toBe(early?.containerID)
  })

  it('does not pull with the policy Never, and counts the image as present', () => {
    const pod = makePod({ containers: [{ name: 'c', image: 'shop/web', imagePullPolicy: 'Never' }] })
    const bare = { ...environment, isImagePresent: () => false }
    const { events } = syncWithStatus(firstState(pod, startMs, bare), pod, startMs + 100, bare)
    expect(events.map(({ reason, message }) => `${reason} ${message}`)[0]).toBe(
      'Pulled Container image "shop/web" already present on machine and can be accessed by the pod',
    )
  })

  it('records the events of the kubelet', () => {
    const { events } = live(makePod({}), 60, { 10: remove(30) })
    expect(events.map(({ type, reason, message, fieldPath }) => `${type} ${reason} ${message} ${fieldPath}`)).toEqual([
      'Normal Pulled Container image "nginx" already present on machine and can be accessed by the pod spec.containers{c}',
      'Normal Created Container created spec.containers{c}',
      'Normal Started Container started spec.containers{c}',
      'Normal Killing Stopping container c spec.containers{c}',
    ])
  })

  it('records events about failed pulls and failed probes', () => {
    const missing = live(makePod({ containers: [{ name: 'c', image: 'registry.invalid/web:1' }] }), 2)
    expect(missing.events.map(({ reason }) => reason)).toEqual(['Pulling', 'Failed', 'Failed', 'BackOff', 'Failed'])
    expect(missing.pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toMatch(
      /^Back-off pulling image "registry\.invalid\/web:1": ErrImagePull: failed to pull and unpack image .*no such host$/,
    )
    const probe = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 1 }
    const failing = live(
      makePod({ containers: [{ name: 'c', image: 'nginx', livenessProbe: probe }] }, { 'rollcall.dev/fail-probe': 'liveness@3s' }),
      3.2,
    )
    expect(failing.events.slice(3).map(({ message }) => message)).toEqual([
      'Liveness probe failed: HTTP probe failed with statuscode: 500',
      'Container c failed liveness probe, will be restarted',
    ])
  })

  it.each<[name: string, container: object, port: number | string, isReady: boolean]>([
    ['the usual port', { args: ['test-webserver'] }, 80, true],
    ['another port', { args: ['test-webserver'] }, 81, false],
    ['a port of its own', { args: ['netexec', '--http-port=90'] }, 90, true],
    ['a port by its name', { args: ['serve-hostname', '--port', '90'], ports: [{ name: 'web', containerPort: 90 }] }, 'web', true],
    ['the port of another', { args: ['liveness'] }, 90, false],
    ['an unknown server', { args: ['grpc-health-checking'] }, 90, true],
  ])('probes %s of a server', (_name, more, port, isReady) => {
    for (const probe of [{ httpGet: { path: '/', port } }, { tcpSocket: { port } }]) {
      const container = { name: 'c', image: 'agnhost:2', ...more, readinessProbe: { ...probe, periodSeconds: 1, failureThreshold: 1 } }
      const { pod, events } = live(makePod({ containers: [container] }), 3)
      expect(pod.status?.containerStatuses?.[0]?.ready).toBe(isReady)
      if (!isReady) expect(events.at(-1)?.message).toMatch(/^Readiness probe failed: .*connect: connection refused$/)
    }
  })

  it('probes the port of a gRPC server', () => {
    const ready = (port: number) => {
      const readinessProbe = { grpc: { port }, periodSeconds: 1, failureThreshold: 1 }
      const container = { name: 'c', image: 'agnhost:2', command: ['/agnhost', 'grpc-health-checking'], readinessProbe }
      return live(makePod({ containers: [container] }), 3).pod.status?.containerStatuses?.[0]?.ready
    }
    expect([ready(5000), ready(2333)]).toEqual([true, false])
  })

  it('returns the output, and the termination message of a container', () => {
    const { printed, pod } = live(makePod(job('echo hi $WHO; echo bad luck > /dev/termination-log; exit 1')), 5)
    expect(printed).toBe('hi\n')
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated?.message).toBe('bad luck\n')
  })

  it('uses the end of the log as termination message with FallbackToLogsOnError', () => {
    const more = { terminationMessagePolicy: 'FallbackToLogsOnError' }
    const messageOf = (script: string) =>
      live(makePod({ restartPolicy: 'Never', containers: [shell(script, more)] }), 200).pod.status?.containerStatuses?.[0]?.state
        ?.terminated?.message
    expect(messageOf('echo one; sleep 1; echo two >&2; exit 1')).toBe('one\ntwo')
    expect(messageOf('echo one; echo note > /dev/termination-log; exit 1')).toBe('note\n')
    expect(messageOf('echo one; exit 0')).toBeUndefined()
    expect(messageOf('for i in $(seq 100); do echo line $i; done; exit 1')).toMatch(/^line 21\n[\s\S]*\nline 100$/)
  })

  it('expands subPathExpr, and waits while a variable is missing', () => {
    const env = [{ name: 'SUB', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['sub']" } } }]
    const volumeMounts = [
      { name: 'v', mountPath: '/all/' },
      { name: 'v', mountPath: '/sub', subPathExpr: 'x/$(SUB)' },
    ]
    const containers = [shell('test -d /all && test -d /all/x/a && echo hi > /sub/f; cat /all/x/a/f', { env, volumeMounts })]
    const spec = { restartPolicy: 'Never', containers, volumes: [{ name: 'v', emptyDir: {} }] }
    expect(live(makePod(spec, { sub: 'a' }), 5).printed).toBe('hi\n')
    const waiting = (annotations: Record<string, string>, expression = 'x/$(SUB)') =>
      live(
        makePod(
          { ...spec, containers: [{ ...containers[0], volumeMounts: [{ ...volumeMounts[1], subPathExpr: expression }] }] },
          annotations,
        ),
        5,
      ).pod.status?.containerStatuses?.[0]?.state?.waiting
    expect(waiting({})).toEqual({ reason: 'CreateContainerConfigError', message: 'missing value for SUB' })
    expect(waiting({ sub: '..' })?.message).toBe("unable to provision SubPath `x/..`: must not contain '..'")
    expect(waiting({ sub: '/tmp' }, '$(SUB)')?.message).toBe('error SubPath `/tmp` must not be an absolute path')
    expect(live(makePod(spec), 15, { 5: annotate('sub', 'a') }).printed).toBe('hi\n')
  })

  it('applies runAsUser and readOnlyRootFilesystem', () => {
    const user = { securityContext: { runAsUser: 1001, runAsGroup: 1002 } }
    const printed = (script: string, more: object) =>
      live(makePod({ restartPolicy: 'Never', containers: [shell(script, more)] }), 5).printed
    expect(printed('id; id -u', user)).toBe('uid=1001 gid=1002 groups=1002\n1001\n')
    const fixed = { securityContext: { readOnlyRootFilesystem: true }, volumeMounts: [{ name: 'v', mountPath: '/v' }] }
    expect(printed('echo a > /f; touch /g || echo $?; echo b > /v/f; cat /v/f', fixed)).toBe(
      "sh: can't create /f: Read-only file system\ntouch: /g: Read-only file system\n1\nb\n",
    )
  })

  it('prints its arguments with agnhost entrypoint-tester', () => {
    const printed = (more: object) =>
      live(makePod({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'agnhost:2', ...more }] }), 5).printed
    expect(printed({})).toBe('Paused\n')
    expect(printed({ args: ['entrypoint-tester', 'a'] })).toBe('[/agnhost entrypoint-tester a]\n')
    expect(printed({ command: ['/agnhost-2', 'entrypoint-tester'], args: ['a', 'b'] })).toBe('[/agnhost-2 entrypoint-tester a b]\n')
  })

  it('writes logs with agnhost logs-generator', () => {
    const container = { name: 'c', image: 'agnhost:2', args: ['logs-generator', '--log-lines-total', '10', '--run-duration=5s'] }
    const pod = makePod({ restartPolicy: 'Never', containers: [container] })
    expect(live(pod, 2.2).printed.split('\n')).toHaveLength(6)
    const { printed, pod: done } = live(pod, 10)
    expect(printed).toMatch(/^I1101 12:00:00\.000000 {7}1 logs_generator\.go:76\] 0 GET \/api\/v1\/namespaces\/kube-system\/pods\/p0 200\n/)
    expect(printed.split('\n')).toHaveLength(11)
    expect(done.status?.phase).toBe('Succeeded')
  })

  it('starts ephemeral containers, and never restarts them', () => {
    const debug: Edit = (pod) => ({
      ...pod,
      spec: { ...pod.spec!, ephemeralContainers: [shell('echo polo; sleep 5; exit 1', { name: 'e' })] } as Pod['spec'] & object,
    })
    const early = live(makePod({}), 4, { 3: debug })
    expect(early.pod.status).toMatchObject({
      phase: 'Running',
      ephemeralContainerStatuses: [{ name: 'e', ready: false, state: { running: { startedAt: '2026-11-01T12:00:03Z' } } }],
    })
    expect(early.printed).toBe('polo\n')
    expect(early.events.at(-1)?.fieldPath).toBe('spec.ephemeralContainers{e}')
    const late = live(makePod({}), 30, { 3: debug }).pod
    const over = { name: 'e', restartCount: 0, state: { terminated: { exitCode: 1 } } }
    expect(late.status).toMatchObject({ phase: 'Running', ephemeralContainerStatuses: [over] })
    expect(resumedState(late, startMs + 40_000, environment).ephemeralContainers).toMatchObject([{ now: { at: 'ended', exitCode: 1 } }])
    const deletedSpec = live(makePod({}), 30, { 3: debug, 4: remove(2) })
    expect(deletedSpec.state.isDone).toBe(true)
    expect(deletedSpec.pod.status?.ephemeralContainerStatuses).toMatchObject([{ state: { terminated: { exitCode: 137 } } }])
  })

  it('sets the environment variables of a container', () => {
    const env = [
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'INDEX', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['index']" } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      { name: 'BOTH', value: '$(POD)/$(INDEX)/$$(X)/$(NONE)' },
    ]
    const containers = [{ ...shell('echo $POD $IP $INDEX $CPU $BOTH'), env, resources: { limits: { cpu: '1500m' } } }]
    expect(live(makePod({ restartPolicy: 'Never', containers }, { index: '4' }), 5).printed).toBe('web 10.244.0.2 4 2 web/4/$(X)/$(NONE)\n')
  })

  it('sets the service variables of a container', () => {
    const service = (name: string, clusterIP: string, ports: object[]) =>
      ({ metadata: { name }, spec: { clusterIP, ports } }) as unknown as Service
    const own = [
      service('my-db', '10.96.0.7', [
        { name: 'main', port: 5432 },
        { name: 'side', port: 53, protocol: 'UDP' },
      ]),
      service('headless', 'None', [{ port: 80 }]),
    ]
    const here: PodEnvironment = {
      ...environment,
      *readServices(withOwn) {
        yield service('kubernetes', '10.96.0.1', [{ name: 'https', port: 443 }])
        if (withOwn) yield* own
      },
    }
    const printed = (more: object) => {
      const pod = makePod({ restartPolicy: 'Never', containers: [shell('env')], ...more })
      const { output } = syncWithStatus(firstState(pod, startMs, here), pod, startMs + 1000, here)
      return output.flatMap((one) => one.output.map(({ text }) => text)).join('')
    }
    const all = printed({})
    for (const line of [
      'MY_DB_SERVICE_HOST=10.96.0.7',
      'MY_DB_SERVICE_PORT=5432',
      'MY_DB_SERVICE_PORT_SIDE=53',
      'MY_DB_PORT=tcp://10.96.0.7:5432',
      'MY_DB_PORT_53_UDP=udp://10.96.0.7:53',
      'MY_DB_PORT_53_UDP_PROTO=udp',
      'MY_DB_PORT_53_UDP_PORT=53',
      'MY_DB_PORT_53_UDP_ADDR=10.96.0.7',
      'KUBERNETES_SERVICE_PORT_HTTPS=443',
    ])
      expect(all.split('\n')).toContain(line)
    expect(all).not.toContain('HEADLESS')
    expect(printed({ enableServiceLinks: false })).not.toContain('MY_DB')
    expect(printed({ enableServiceLinks: false })).toContain('KUBERNETES_PORT=tcp://10.96.0.1:443')
  })

  it('resolves resourceFieldRef with its divisor', () => {
    const field = (name: string, resource: string, more: object = {}) => ({ name, valueFrom: { resourceFieldRef: { resource, ...more } } })
    const env = [
      field('A', 'limits.cpu'),
      field('B', 'limits.memory', { divisor: '1Mi' }),
      field('C', 'requests.cpu', { divisor: '1m' }),
      field('D', 'requests.memory'),
      field('E', 'limits.cpu', { containerName: 'other' }),
    ]
    const containers = [
      { ...shell('echo $A $B $C $D $E'), env, resources: { requests: { cpu: '250m' } } },
      { name: 'other', image: 'busybox', command: ['true'], resources: { limits: { cpu: '3' } } },
    ]
    const here = { ...environment, readAllocatable: () => ({ cpu: '3900m', memory: '1Gi' }) }
    const pod = makePod({ restartPolicy: 'Never', containers })
    const { output } = syncWithStatus(firstState(pod, startMs, here), pod, startMs + 1000, here)
    expect(output.flatMap((one) => one.output.map(({ text }) => text)).join('')).toBe('4 1024 250 0 3\n')
  })

  it('resumes a pod from its status', () => {
    const ran = live(makePod({ containers: [shell('sleep 30; exit 1')] }), 10).pod
    const { lines } = live(ran, 40, {}, (pod) => resumedState(pod, startMs + 20_000, environment))
    expect(lines).toEqual(['30: Running c=Error(1)', '30.1: Running c=running+!x1 R'])
    const crashed = live(makePod({ containers: [shell('exit 1')] }), 3).pod
    expect(resumedState(crashed, startMs + 5000, environment).containers[0]).toMatchObject({ restartCount: 1, now: { at: 'waiting' } })
    const done = live(makePod(job('exit 0')), 3).pod
    expect(resumedState(done, startMs + 5000, environment).isDone).toBe(true)
  })

  it('reports a rejected pod as failed', () => {
    const { status } = syncWithStatus(
      rejectedState(startMs, 'NodePorts', 'Predicate NodePorts failed: x'),
      makePod({}),
      startMs,
      environment,
    )
    expect(status).toMatchObject({ phase: 'Failed', reason: 'NodePorts', message: 'Pod was rejected: Predicate NodePorts failed: x' })
    expect(status.containerStatuses).toBeUndefined()
  })
})

describe('a pod that is deleted at the time of its creation', () => {
  const here = { ...environment, timing: { ...environment.timing, start: fixed(0), stop: fixed(5000) } }
  const isGoneAtOnce = (pod: Pod, deletedAtMs: number, status = pod.status!) => {
    const first = syncWithStatus(firstState(pod, startMs, here), pod, startMs, here)
    return syncWithStatus(first.state, remove(30)({ ...pod, status }), deletedAtMs, here).state.isDone
  }

  it('has not run, although it was synced in between', () => {
    const pod = makePod({})
    expect(syncWithStatus(firstState(pod, startMs, here), remove(30)(pod), startMs, here).state.isDone).toBe(true)
    expect(isGoneAtOnce(pod, startMs)).toBe(true)
  })

  it('has run if a status was reported, or if it is deleted later', () => {
    const pod = makePod({})
    expect(isGoneAtOnce(pod, startMs, { phase: 'Running', startTime: formatTime(startMs) })).toBe(false)
    expect(isGoneAtOnce(pod, startMs + 1)).toBe(false)
  })
})
