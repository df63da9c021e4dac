import { describe, expect, it } from 'vitest'
import type { Pod } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
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
