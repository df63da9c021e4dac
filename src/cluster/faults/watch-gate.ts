// Stands between a watch and its reader: events pass, wait, are merged or are dropped, as the rules say. The order of events stays; where one waits, the ones
// behind it wait too.
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { ApiCall } from '../../server/http/request-faults.ts'
import type { SeenEvent } from './call-selection.ts'
import type { ClientRules, RunningRule } from './client-rules.ts'

interface GateOptions<E> {
  readonly call: ApiCall
  readonly rules: ClientRules
  readonly clock: Clock
  readonly beginsWithState: boolean
  readEvent(event: E): SeenEvent
  /** The event as another type: MODIFIED for ADDED. */
  retype(event: E, type: 'ADDED' | 'MODIFIED'): E
  deliver(events: readonly E[]): void
  /** Ends the watch with the error that its revision is too old. */
  expire(): void
}

interface Held<E> {
  readonly event: E
  /** Undefined: it waits for the ones before it. */
  readonly by: RunningRule | undefined
  readonly dueMs: number
}

/** As in an API server whose watch cache is too small: the reader has to list again. */
const maxHeld = 100_000

export class WatchGate<E> {
  readonly #options: GateOptions<E>
  #held: Held<E>[] = []
  #isStarting = true
  #isOver = false
  #cancel: CancelTimer = () => {}

  constructor(options: GateOptions<E>) {
    this.#options = options
  }

  get call(): ApiCall {
    return this.#options.call
  }

  get heldEvents(): number {
    return this.#held.length
  }

  started(): void {
    this.#isStarting = false
  }

  close(): void {
    this.#isOver = true
    this.#held = []
    this.#cancel()
  }

  onEvents(events: readonly E[]): void {
    if (this.#isOver) return
    const { rules, call, clock, deliver } = this.#options
    const isInitial = this.#isStarting && this.#options.beginsWithState
    // The array is shared by watches, and encoded once.
    if (isInitial || (this.#held.length === 0 && !rules.concerns(call))) {
      deliver(events)
      return
    }
    const passing: E[] = []
    for (const event of events) {
      const seen = this.#options.readEvent(event)
      const by = seen.type === 'BOOKMARK' ? undefined : rules.takeEvent(call, seen)
      const effect = by?.rule.effect
      if (effect !== 'drop') {
        if (by === undefined && this.#held.length === 0) passing.push(event)
        else this.#held.push({ event, by, dueMs: effect === 'delay' ? clock.now() + (by!.rule.delayMs ?? 0) : 0 })
      }
      if (by !== undefined) rules.eventDone(by)
    }
    if (passing.length > 0) deliver(passing)
    if (this.#held.length > maxHeld) this.expire()
    else if (this.#held.length > 0) this.flush()
  }

  expire(): void {
    if (this.#isOver) return
    this.close()
    this.#options.expire()
  }

  /** Delivers what no rule holds any more. */
  flush(): void {
    const { clock, deliver } = this.#options
    const nowMs = clock.now()
    const isFree = ({ by, dueMs }: Held<E>) => by === undefined || (by.rule.effect === 'delay' ? dueMs <= nowMs : by.state === 'over')
    let count = 0
    while (count < this.#held.length && isFree(this.#held[count]!)) count++
    const free = this.#held.slice(0, count)
    this.#held = this.#held.slice(count)
    if (free.length > 0) deliver(this.#merged(free))
    this.#cancel()
    const next = this.#held[0]
    if (next?.by?.rule.effect === 'delay') this.#cancel = clock.after(Math.max(1, next.dueMs - nowMs), () => this.flush())
  }

  /** What a reader sees who reads the state before and after, and nothing in between. */
  #merged(free: readonly Held<E>[]): E[] {
    const { readEvent, retype } = this.#options
    const merged: (E | undefined)[] = []
    /** The place of the last merged event of each object. */
    const places = new Map<string, number>()
    for (const { event, by } of free) {
      const { type, namespace, name } = readEvent(event)
      const key = `${namespace}/${name}`
      const place = by?.rule.effect === 'merge' ? places.get(key) : undefined
      const before = place === undefined ? undefined : merged[place]
      if (place === undefined || before === undefined) {
        if (by?.rule.effect === 'merge') places.set(key, merged.length)
        merged.push(event)
        continue
      }
      const first = readEvent(before).type
      merged[place] = undefined
      places.set(key, merged.length)
      if (first === 'ADDED' && type === 'DELETED') merged.push(undefined)
      else if (first === 'ADDED') merged.push(retype(event, 'ADDED'))
      else if (first === 'DELETED') merged.push(retype(event, 'MODIFIED'))
      else merged.push(event)
    }
    return merged.filter((event) => event !== undefined)
  }
}
