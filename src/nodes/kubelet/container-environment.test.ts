import { describe, expect, it } from 'vitest'
import type { Pod, Service } from '../../api/types.ts'
import { firstState } from './pod-sync.ts'
import { resumedState } from './resumed-state.ts'
import type { PodEnvironment } from './sync-context.ts'
import { annotate, type Edit, environment, live, makePod, remove, shell, startMs } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

describe('the environment of a container', () => {
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

  it('has the hostname of the pod in its script and in its probes', () => {
    const probe = { exec: { command: ['sh', '-c', '[ "$(hostname)" = shop ]'] } }
    const { printed, lines } = live(makePod({ hostname: 'shop', containers: [shell('hostname; sleep 60', { readinessProbe: probe })] }), 5)
    expect(printed).toBe('shop\n')
    expect(lines.at(-1)).toMatch(/ R$/)
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
})
