// Axes: from values to places, and the round values that are written beside them. Pure: the page uses it too.

export interface Scale {
  readonly max: number
  readonly ticks: readonly number[]
}

/** From 0 to a round number at or above `most`, with about `count` steps between whole numbers. */
export function countScale(most: number, count = 4): Scale {
  const step = Math.max(1, roundStep(most / count))
  const max = Math.max(step, Math.ceil(most / step) * step)
  return { max, ticks: range(max, step) }
}

const timeStepsMs = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
]

/** From 0 to `endMs` exactly, with at most `count` steps of a round length. */
export function timeScale(endMs: number, count: number): Scale {
  const max = Math.max(1, endMs)
  const day = timeStepsMs.at(-1)!
  const step = timeStepsMs.find((one) => max / one <= count) ?? Math.ceil(max / count / day) * day
  return { max, ticks: range(max, step) }
}

/** 1, 2, 5, 10, 20, 25, 50, …: the smallest that is not below `least`. */
function roundStep(least: number): number {
  if (!(least > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => Number.isInteger(step) && step >= least - 1e-9 * power) ?? 1
}

function range(max: number, step: number): number[] {
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) => index * step)
}
