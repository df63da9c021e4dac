// The faults of single clients as a set of rules: what happens to their requests and to the events of their watches. The state of a rule is the number of
// requests and events that it has counted: it depends on no clock and on no random numbers.
import type { ApiCall } from '../../server/http/request-faults.ts'
import { type CallSelection, type SeenEvent, selectsCall, selectsClient, selectsEvent } from './call-selection.ts'
import type { ClientOrder } from './fault-types.ts'

type ClientEffect = ClientOrder['action']

/** Occurs with the `count`th request that is answered, of those that are selected. */
export interface Trigger {
  readonly on: CallSelection
  readonly count: number
}

export interface ClientRule {
  readonly effect: ClientEffect
  readonly on: CallSelection
  /** The rule begins then. Default: at once. */
  readonly after?: Trigger
  /** The rule ends then. Default: when it is removed. */
  readonly until?: Trigger
  /** The first requests or events that are selected are not affected. Default 0. */
  readonly skip?: number
  /** How many requests or events are affected; then the rule ends. Default: all. */
  readonly times?: number
  /** For `refuse`: 409, 429, 500, 503 or 504. */
  readonly code?: number
  /** For `delay` and `slow`. */
  readonly delayMs?: number
  /** For `rewind`: how many revisions before its beginning. Default 0. */
  readonly back?: number
}

export interface RunningRule {
  readonly rule: ClientRule
  state: 'waiting' | 'active' | 'over'
  /** For `rewind`: what lists show. */
  asOf: number
  seen: number
  affected: number
  answeredAfter: number
  answeredUntil: number
}

interface ClientRulesOptions {
  /** The newest revision of the store. */
  revision(): number
  /** A rule has begun or ended. */
  onChange?(rule: RunningRule): void
  /** A rule affects this request, before it takes effect. */
  onAffected?(rule: RunningRule, call: ApiCall): void
}

const isEventEffect = (effect: ClientEffect) => ['hold', 'rewind', 'merge', 'delay', 'drop'].includes(effect)

export class ClientRules {
  readonly #options: ClientRulesOptions
  readonly #rules = new Set<RunningRule>()

  constructor(options: ClientRulesOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0
  }

  add(rule: ClientRule): RunningRule {
    const running: RunningRule = { rule, state: 'waiting', asOf: 0, seen: 0, affected: 0, answeredAfter: 0, answeredUntil: 0 }
    this.#rules.add(running)
    if (rule.after === undefined) this.#begin(running)
    return running
  }

  remove(running: RunningRule): void {
    this.#end(running)
    this.#rules.delete(running)
  }

  /** The rules for a request that arrives: each counts it. */
  takeRequest(call: ApiCall): readonly RunningRule[] {
    const found: RunningRule[] = []
    for (const running of this.#rules) {
      const { effect, on } = running.rule
      if (isEventEffect(effect) || effect === 'expire' || running.state !== 'active' || !selectsCall(on, call)) continue
      if (!this.#take(running)) continue
      found.push(running)
      this.#options.onAffected?.(running, call)
      this.#endIfUsedUp(running)
    }
    return found
  }

  /** The rules for an event, with `hold` and its like first. An event that is held need not be dropped or delayed. */
  takeEvent(call: ApiCall, event: SeenEvent): RunningRule | undefined {
    for (const running of this.#rules) {
      const { effect, on } = running.rule
      if (!isEventEffect(effect) || running.state !== 'active' || !selectsClient(on, call) || !selectsEvent(on, event)) continue
      if (!this.#take(running)) continue
      this.#options.onAffected?.(running, call)
      return running
    }
    return undefined
  }

  /** The revision that lists of this client show; undefined: the newest. */
  asOf(call: ApiCall): number | undefined {
    for (const { rule, state, asOf } of this.#rules)
      if (rule.effect === 'rewind' && state === 'active' && selectsClient(rule.on, call)) return asOf
    return undefined
  }

  /** Whether an event of that watch may be affected, now or later. */
  concerns(call: ApiCall): boolean {
    for (const { rule, state } of this.#rules)
      if (isEventEffect(rule.effect) && state !== 'over' && selectsClient(rule.on, call)) return true
    return false
  }

  /** A request has been handled: rules that wait for it begin or end. */
  answered(call: ApiCall): void {
    for (const running of this.#rules) {
      const { after, until } = running.rule
      if (running.state === 'waiting' && after !== undefined && selectsCall(after.on, call)) {
        if (++running.answeredAfter >= after.count) this.#begin(running)
      } else if (running.state === 'active' && until !== undefined && selectsCall(until.on, call)) {
        if (++running.answeredUntil >= until.count) this.#end(running)
      }
    }
  }

  /** An affected event was taken out of its watch: a rule with `times` may be over. */
  eventDone(running: RunningRule): void {
    this.#endIfUsedUp(running)
  }

  #take(running: RunningRule): boolean {
    const { skip = 0, times = Number.POSITIVE_INFINITY } = running.rule
    if (running.seen++ < skip || running.affected >= times) return false
    running.affected++
    return true
  }

  #endIfUsedUp(running: RunningRule): void {
    if (running.affected >= (running.rule.times ?? Number.POSITIVE_INFINITY)) this.#end(running)
  }

  #begin(running: RunningRule): void {
    running.state = 'active'
    running.asOf = Math.max(1, this.#options.revision() - (running.rule.back ?? 0))
    this.#options.onChange?.(running)
    if (running.rule.effect === 'expire') this.#end(running)
  }

  #end(running: RunningRule): void {
    if (running.state === 'over') return
    const wasActive = running.state === 'active'
    running.state = 'over'
    if (wasActive) this.#options.onChange?.(running)
  }
}
