import { describe, expect, it } from 'vitest'
import type { Pod } from '../../api/types.ts'
import { newContainer } from './container-sync.ts'
import { isEssentialStatus } from './essential-status.ts'
import type { ContainerState, Ended, PodState, Running } from './pod-state.ts'

const running = (isReady: boolean): ContainerState => ({ ...newContainer, now: { at: 'running', isReady } as Running })
const ended: Ended = { at: 'ended', startedAtMs: 0, finishedAtMs: 1, exitCode: 1, reason: 'Error' }
const state = (containers: readonly ContainerState[], more: Partial<PodState> = {}): PodState => ({
  startedAtMs: 0,
  sandboxAtMs: 0,
  initContainers: [],
  containers,
  isDone: false,
  files: new Map(),
  ...more,
})
const pod = (ready?: 'True' | 'False', more: Partial<Pod> = {}): Pod => ({
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web' }] },
  status: { phase: 'Pending', ...(ready && { conditions: [{ type: 'Ready', status: ready }] }) },
  ...more,
})
const held = pod('True', { metadata: { name: 'web', finalizers: ['example.com/held'] } })
const gated = pod(undefined, { spec: { containers: [{ name: 'web' }], readinessGates: [{ conditionType: 'example.com/on' }] } })

const cases = [
  { name: 'it waits for its turn', pod: pod(), state: state([newContainer]), isReported: false },
  { name: 'it runs, and is not ready', pod: pod(), state: state([running(false)]), isReported: false },
  { name: 'one of two is ready', pod: pod(), state: state([running(true), running(false)]), isReported: false },
  { name: 'it has become ready', pod: pod(), state: state([running(true)]), isReported: true },
  { name: 'it is still ready', pod: pod('True'), state: state([running(true)]), isReported: false },
  { name: 'it is no longer ready', pod: pod('True'), state: state([running(false)]), isReported: true },
  {
    name: 'its image cannot be pulled',
    pod: pod(),
    state: state([{ ...newContainer, now: { at: 'waiting', reason: 'ErrImagePull' } }]),
    isReported: true,
  },
  { name: 'its volumes cannot be mounted', pod: pod(), state: state([newContainer], { mountFailures: 1 }), isReported: true },
  { name: 'a container has ended', pod: pod(), state: state([{ ...newContainer, now: ended }]), isReported: true },
  { name: 'a container runs again', pod: pod(), state: state([{ ...running(false), last: ended, restartCount: 1 }]), isReported: true },
  { name: 'it has init containers', pod: pod(), state: state([newContainer], { initContainers: [newContainer] }), isReported: true },
  { name: 'its readiness depends on a readiness gate', pod: gated, state: state([running(false)]), isReported: true },
  { name: 'it has ended', pod: pod('True'), state: state([{ ...newContainer, now: ended }], { isDone: true }), isReported: true },
  {
    name: 'it is removed',
    pod: pod('True'),
    state: state([{ ...newContainer, now: ended }], { isDone: true }),
    isRemoved: true,
    isReported: false,
  },
  {
    name: 'it is removed, but has a finalizer',
    pod: held,
    state: state([newContainer], { isDone: true }),
    isRemoved: true,
    isReported: true,
  },
]

describe('isEssentialStatus()', () => {
  it.each(cases)('$name: $isReported', ({ pod, state, isRemoved = false, isReported }) => {
    expect(isEssentialStatus(pod, state, isRemoved)).toBe(isReported)
  })
})
