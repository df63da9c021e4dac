// What all charts of a page have in common: scales, what is hidden, and the moment that is looked at.
import type { Outcome } from '../../rollout/result.ts'
import { countScale, type Scale } from '../scale.ts'
import { keyOfLayer, type Stack, stackOf } from '../stacked.ts'

export interface Run {
  readonly outcome: Outcome
  readonly stack: Stack
}

export class Shared {
  readonly runs: readonly Run[]
  readonly endMs: number
  readonly pods: Scale
  readonly nodes: Scale
  /** Ascending, over all runs. The place of a revision is its colour. */
  readonly revisions: readonly number[]
  /** Keys of layers that have a pod somewhere. */
  readonly present: ReadonlySet<string>
  /** Keys of layers, and `cap`, `desired`, `available`, `load`. */
  readonly hidden = new Set<string>()
  atMs: number | undefined
  readonly #onLook: (() => void)[] = []
  readonly #onToggle: (() => void)[] = []

  constructor(outcomes: readonly Outcome[]) {
    this.runs = outcomes.map((outcome) => ({ outcome, stack: stackOf(outcome.series) }))
    this.endMs = Math.max(1, ...this.runs.map(({ stack }) => stack.times.at(-1) ?? 0))
    this.pods = countScale(
      Math.max(
        1,
        ...this.runs.flatMap(({ stack, outcome: { series } }) =>
          [stack.height, series.cap, series.desired, series.load ?? []].map(highest),
        ),
      ),
    )
    this.nodes = countScale(Math.max(1, ...outcomes.map(({ series }) => highest(series.nodes))), 3)
    const layers = outcomes.flatMap(({ series }) => series.layers).filter(({ values }) => values.some((value) => value > 0))
    this.present = new Set(layers.map(keyOfLayer))
    this.revisions = [...new Set(layers.map(({ revision }) => revision))].sort((a, b) => a - b)
    // Where all that is ready counts as available, the line would only repeat an edge.
    if (!this.runs.some(differsFromReady)) this.hidden.add('available')
  }

  look(atMs: number | undefined): void {
    if (atMs === this.atMs) return
    this.atMs = atMs === undefined ? undefined : Math.min(Math.max(atMs, 0), this.endMs)
    for (const tell of this.#onLook) tell()
  }

  toggle(key: string): void {
    if (!this.hidden.delete(key)) this.hidden.add(key)
    for (const tell of this.#onToggle) tell()
  }

  onLook(tell: () => void): void {
    this.#onLook.push(tell)
  }

  onToggle(tell: () => void): void {
    this.#onToggle.push(tell)
  }
}

function differsFromReady({ outcome: { series } }: Run): boolean {
  const ready = series.layers.filter(({ state }) => state === 'ready')
  return series.available.some((available, index) => ready.reduce((sum, { values }) => sum + values[index]!, 0) !== available)
}

function highest(values: readonly number[]): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}
