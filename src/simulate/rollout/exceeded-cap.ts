// The cap that the most pods exceeded, where steps move it. Pure.
import type { Outcome } from './result.ts'

/** Undefined where an autoscaler moves the cap. Where no pod was over it, and of several workloads together, it is the highest. */
export function exceededCap({ measures, series }: Pick<Outcome, 'measures' | 'series'>): number | undefined {
  if (measures.rescales !== undefined) return undefined
  const shown = series.layers.filter(({ state }) => state !== 'waiting')
  const at = series.cap.findIndex((cap, index) => {
    const pods = shown.reduce((sum, { values }) => sum + values[index]!, 0)
    return measures.peakOverCap > 0 && pods - cap === measures.peakOverCap
  })
  return series.cap[at] ?? measures.cap
}
