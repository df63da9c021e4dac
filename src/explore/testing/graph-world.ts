import type { World } from '../world.ts'

export interface Edge {
  readonly to: number
  readonly isFault?: boolean
  readonly problem?: string
}

/** A world whose states are numbers; 0 is the first, and `goal` the end. */
export const graphWorld = (edges: Readonly<Record<number, readonly Edge[]>>, goal: number): World => ({
  name: 'test',
  width: 1,
  initial: () => [Int32Array.of(0)],
  expand(words, quietOnly, visit) {
    for (const { to, isFault = false, problem } of edges[words[0]!] ?? [])
      if (!quietOnly || !isFault) visit(Int32Array.of(to), to, !isFault, problem)
  },
  restProblem: ([state]) => (state === goal ? undefined : `ends in ${state}`),
  describe: (_words, code) => `to ${code}`,
  show: ([state]) => `state ${state}`,
})
