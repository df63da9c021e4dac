import { describe, expect, it } from 'vitest'
import type { Pod } from '../../api/types.ts'
import { rejectedState } from './pod-sync.ts'
import { resumedState } from './resumed-state.ts'
import { annotate, type Edit, environment, job, live, makePod, shell, startMs } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

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
  ])('reports each state of %s', (_, pod, untilSeconds, lines, edits) => {
    expect(live(pod, untilSeconds, edits).lines).toEqual(lines)
  })

  it('requests no further sync when nothing is due', () => {
    const probe = { httpGet: { port: 80 }, periodSeconds: 1 }
    const pod = makePod({ containers: [{ name: 'c', image: 'nginx', readinessProbe: probe, livenessProbe: probe }] })
    expect(live(pod, 3600).syncs).toBe(2)
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
