// Outcomes that came to the same share a card. Pure.
import type { Outcome } from '../rollout/result.ts'
import { nameOf } from './measure-rows.ts'

export interface Card {
  /** The place of the first outcome that it shows. */
  readonly index: number
  readonly outcome: Outcome
  /** Of all that it shows. */
  readonly names: readonly string[]
}

/** In the order of the outcomes. Two share a card where every line of their charts and every reason is the same. */
export function sharedCards(outcomes: readonly Outcome[]): Card[] {
  const cards = new Map<string, { index: number; outcome: Outcome; names: string[] }>()
  for (const [index, outcome] of outcomes.entries()) {
    const key = JSON.stringify([outcome.series, outcome.stuck])
    const known = cards.get(key)
    if (known === undefined) cards.set(key, { index, outcome, names: [nameOf(outcome)] })
    else known.names.push(nameOf(outcome))
  }
  return [...cards.values()]
}

/** `TerminationComplete, + terminatingAsActive`. */
export function cardTitle([first = '', ...others]: readonly string[]): string {
  return [first, ...others.map((name) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : name))].join(', ')
}
