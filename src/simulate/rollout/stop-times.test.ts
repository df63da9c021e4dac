import { describe, expect, it } from 'vitest'
import { prepareObject } from './prepare.ts'
import { assumedStops, readHook } from './stop-times.ts'

const sh = (script: string) => ({ exec: { command: ['/bin/sh', '-c', script] } })

describe('A preStop hook', () => {
  it.each([
    ['a sleep', { sleep: { seconds: 9 } }, 9000],
    ['the program sleep', { exec: { command: ['/bin/sleep', '15'] } }, 15_000],
    ['a script that sleeps', sh('sleep 5'), 5000],
    ['a shell with flags', { exec: { command: ['bash', '-ec', 'echo bye; sleep 1.5m'] } }, 90_000],
    ['a sleep and a signal', sh('sleep 5 && /usr/sbin/nginx -s quit >/dev/null 2>&1'), 5000],
    ['several sleeps', sh('sleep 2\nkill -TERM 1\nsleep 3'), 5000],
    ['nothing', {}, 0],
  ])('that is %s is understood', (_, hook, sleepsMs) => {
    expect(readHook(hook)).toEqual({ sleepsMs })
  })

  it.each([
    ['a script of the image', { exec: { command: ['/opt/drain.sh'] } }, 0, '/opt/drain.sh'],
    ['a program', { exec: { command: ['python', 'drain.py'] } }, 0, 'python drain.py'],
    ['an HTTP request', { httpGet: { path: '/shutdown', port: 8080 } }, 0, 'GET /shutdown'],
    [
      'a loop that waits for a program',
      sh('while [ $(netstat -plunt | grep tcp | grep -v envoy | wc -l | xargs) -ne 0 ]; do sleep 1; done'),
      0,
      'while [ $(netstat -plunt | grep tcp | …',
    ],
    ['a sleep before a script', sh('sleep 10; ./drain.sh'), 10_000, 'sleep 10; ./drain.sh'],
    ['a background job', sh('sleep 10 & wait'), 0, 'sleep 10 & wait'],
  ])('that is %s is opaque', (_, hook, sleepsMs, opaque) => {
    expect(readHook(hook)).toEqual({ sleepsMs, opaque })
  })
})

describe('A pod is assumed to stop', () => {
  const stopsOf = (pod: Parameters<typeof assumedStops>[0]) => assumedStops(pod).map(({ delay, reason }) => [reason, delay])

  it('within a third of its grace period without a hook', () => {
    expect(stopsOf({ containers: [{}], terminationGracePeriodSeconds: 60 })).toEqual([['third', '20s±10s']])
  })

  it('soon after a hook that is understood', () => {
    expect(stopsOf({ containers: [{ lifecycle: { preStop: { sleep: { seconds: 5 } } } }, {}] })).toEqual([['after hook', '1s±500ms']])
  })

  it('as without a hook where the hook is opaque', () => {
    expect(stopsOf({ containers: [{ lifecycle: { preStop: { exec: { command: ['drain.sh'] } } } }] })).toEqual([['opaque', '10s±5s']])
  })

  it('not before the sleeps of an opaque hook, and within its grace period', () => {
    const containers = [{ lifecycle: { preStop: sh('sleep 20; drain.sh') } }]
    expect(stopsOf({ containers, terminationGracePeriodSeconds: 50 })).toEqual([['opaque', '30s±5s']])
    expect(stopsOf({ containers, terminationGracePeriodSeconds: 10 })).toEqual([['opaque', '10s']])
  })

  it('by the opaque hooks of its other containers and sidecars too', () => {
    const opaque = { lifecycle: { preStop: { httpGet: { port: 1 } } } }
    expect(stopsOf({ containers: [{}, opaque, {}], initContainers: [opaque, { ...opaque, restartPolicy: 'Always' }] })).toEqual([
      ['third', '10s±5s'],
      ['opaque', '10s±5s'],
      ['opaque', '10s±5s'],
    ])
  })
})

describe('A simulated pod', () => {
  const deployment = (command: string[], annotations = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      template: { metadata: { annotations }, spec: { containers: [{ name: 'web', lifecycle: { preStop: { exec: { command } } } }] } },
    },
  })
  const prepared = (object: ReturnType<typeof deployment>) => {
    const { metadata, spec } = (prepareObject(object, 'None', {}) as typeof object).spec.template
    return [(metadata.annotations as Record<string, string>)['rollcall.dev/stop-delay.web'], spec.containers[0]!.lifecycle]
  }

  it('takes the assumed time in place of an opaque hook', () => {
    expect(prepared(deployment(['drain.sh']))).toEqual(['10s±5s', {}])
  })

  it('runs a hook that is understood', () => {
    expect(prepared(deployment(['sleep', '7']))).toEqual(['1s±500ms', { preStop: { exec: { command: ['sleep', '7'] } } }])
  })

  it('takes the time that its annotation says', () => {
    expect(prepared(deployment(['drain.sh'], { 'rollcall.dev/stop-delay.web': '3s' }))[0]).toBe('3s')
  })
})
