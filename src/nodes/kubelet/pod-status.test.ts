import { describe, expect, it } from 'vitest'
import { firstState } from './pod-sync.ts'
import { environment, job, live, makePod, remove, shell, startMs } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

describe('the status that syncPod() reports', () => {
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
})
