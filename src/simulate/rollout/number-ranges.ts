// The least and the greatest value of the numbers that a simulation takes, from whatever source.
export const numberRanges = {
  seed: [0, 2 ** 31],
  runs: [1, 10_000],
  workers: [0, 64],
  replicas: [0, 50_000],
} as const satisfies Record<string, readonly [least: number, greatest: number]>
