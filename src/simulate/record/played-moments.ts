// A run moment by moment, in lines: what happened, and how many pods there are. Pure.
import { formatLength } from '../rollout/lengths.ts'
import { type Outcome, podStates } from '../rollout/result.ts'

interface PlayedMoment {
  readonly atMs: number
  /** `1m 05s  13 pods of 13  8 ready  2 starting  3 terminating  5 nodes`. */
  readonly numbers: string
  /** A line for each thing. */
  readonly happened: readonly string[]
}

export function* playedMoments({ series, marks }: Outcome): Generator<PlayedMoment> {
  let next = 0
  for (const [index, atMs] of series.times.entries()) {
    const happened: string[] = []
    for (; next < marks.length && marks[next]!.atMs <= atMs; next++) {
      const { atMs: markMs, object, text } = marks[next]!
      happened.push(`${formatLength(markMs).padStart(8)}  ${[object, text].filter((part) => part !== '').join(' ')}`)
    }
    const counts = podStates.map((state) => {
      const count = series.layers.reduce((sum, layer) => sum + (layer.state === state ? layer.values[index]! : 0), 0)
      return { state, count }
    })
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    const parts = [
      `${total} pods of ${series.cap[index]}`,
      ...counts.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${state}`),
      `${series.nodes[index]} nodes`,
    ]
    yield { atMs, numbers: `${formatLength(atMs).padStart(8)}  ${parts.join('  ')}`, happened }
  }
}
