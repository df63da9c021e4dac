import { describe, expect, it } from 'vitest'
import { validatePodStatusUpdate } from '../../api/kinds/core/pod/validation/status.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Pod } from '../../api/types.ts'
import { firstState } from './pod-sync.ts'
import { type Edit, environment, fixed, live, makePod, remove, shell, startMs } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

describe('syncPod(): a deletion', () => {
  it.each<[name: string, pod: Pod, untilSeconds: number, lines: string[], edits?: Record<number, Edit>]>([
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
  ])('reports each state of %s', (_, pod, untilSeconds, lines, edits) => {
    expect(live(pod, untilSeconds, edits).lines).toEqual(lines)
  })
})

describe('a pod that is deleted at the moment at which its node admits it', () => {
  const here = { ...environment, timing: { ...environment.timing, start: fixed(0), ready: fixed(1000), stop: fixed(5000) } }
  const sidecar = { name: 'proxy', image: 'nginx', restartPolicy: 'Always' }
  /** The pod is synced first. `isReported`: its node has reported it as running. */
  const deleted = (pod: Pod, deletedAtMs: number, isReported: boolean, there = here) => {
    const first = syncWithStatus(firstState(pod, startMs, there), pod, startMs, there)
    const known = isReported ? { ...pod, status: first.status } : pod
    return syncWithStatus(first.state, remove(30)(known), deletedAtMs, there)
  }

  it.each([
    ['a pod', makePod({})],
    ['a pod with a sidecar', makePod({ initContainers: [sidecar] })],
    ['a pod with an init container', makePod({ initContainers: [{ ...shell('exit 0'), name: 'i' }] })],
  ])('terminates at once, whether or not a sync happened in between and was reported: %s', (_, pod) => {
    expect(syncWithStatus(firstState(pod, startMs, here), remove(30)(pod), startMs, here).state.isDone).toBe(true)
    for (const isReported of [false, true]) {
      const { state, status } = deleted(pod, startMs, isReported)
      expect(state.isDone).toBe(true)
      expect(status).toMatchObject({
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { reason: 'ContainerStatusUnknown' } } }],
      })
    }
  })

  it('has started if it is deleted later, or is ready at once', () => {
    const atOnce = { ...here, timing: { ...here.timing, ready: fixed(0) } }
    for (const isReported of [false, true]) {
      expect(deleted(makePod({}), startMs + 1, isReported).state.isDone).toBe(false)
      expect(deleted(makePod({}), startMs, isReported, atOnce).state.isDone).toBe(false)
    }
  })

  it('keeps what has ended meanwhile, so that a server accepts the status', () => {
    const ended = { name: 'once', image: 'busybox', command: ['true'] }
    const pod = makePod({ restartPolicy: 'Never', containers: [ended, { name: 'c', image: 'nginx' }] })
    const first = syncWithStatus(firstState(pod, startMs, here), pod, startMs, here)
    const reported = { ...pod, status: first.status }
    const { status } = syncWithStatus(first.state, remove(30)(reported), startMs, here)
    expect(status.containerStatuses?.map(({ state }) => state?.terminated?.reason)).toEqual(['Completed', 'ContainerStatusUnknown'])
    expect(validatePodStatusUpdate({ ...reported, status }, reported, { gates: defaultFeatureGates })).toEqual([])
  })
})
