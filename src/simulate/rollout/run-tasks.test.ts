import { expect, it } from 'vitest'
import { worthwhileThreads } from './run-tasks.ts'

it.each([
  { pods: 200, cores: 8, threads: 1, why: 'starting one takes longer' },
  { pods: 4000, cores: 2, threads: 1, why: 'the other core compiles' },
  { pods: 4000, cores: 8, threads: 4, why: 'each has a core to compile' },
  { pods: 40_000, cores: 2, threads: 2, why: 'compiling takes a small part of the time' },
  { pods: 40_000, cores: 1, threads: 1, why: 'there is one core' },
])('$pods pods on $cores cores are simulated in $threads threads: $why', ({ pods, cores, threads }) => {
  expect(worthwhileThreads(pods, cores)).toBe(threads)
})
