// Outcomes that came to the same share a card. Pure.
import { groupBy } from '../../base/maps.ts'
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
  const alike = groupBy(outcomes, ({ series, stuck }) => JSON.stringify([series, stuck]))
  return [...alike.values()].map((own) => ({ index: outcomes.indexOf(own[0]!), outcome: own[0]!, names: own.map(nameOf) }))
}

/** `TerminationComplete, + terminatingAsActive`. */
export function cardTitle([first = '', ...others]: readonly string[]): string {
  return [first, ...others.map((name) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : name))].join(', ')
}
