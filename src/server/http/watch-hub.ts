// All watches of the server. Events are written once for each turn of the loop and watcher: what many requests of one
// turn have changed goes out together. A watcher that does not read is dropped, so that memory stays bounded.
import { type CancelTimer, type Clock, realClock } from '../../base/clock.ts'
import type { WatchEvent, WatchListener } from '../rest/rest.ts'
import type { BodyStream, FramedPiece } from './exchange.ts'
import { framePiece } from './exchange.ts'
import { oneLine } from './one-line.ts'
import { type EventView, encodeEvents, sharedPiece, sizeOf } from './watch-encoding.ts'

export interface WatchLimits {
  readonly watches: number
  /** How far behind a watcher may fall, in characters. What was there when it came does not count. */
  readonly pendingCharacters: number
  /** How long it may read nothing at all. */
  readonly stalledMs: number
}

const sweepMs = 5000
const pieceCharacters = 512 * 1024
// A write costs some 15 µs more than the bytes in it. Where many watch, what happens within a while goes out together, so
// that the writes take no more than a tenth of the time: 8 ms for 50 watchers. Nobody waits for the first event after a pause.
const manyWatchers = 8
const paceMsForEach = 0.16
const longestPaceMs = 60

export class WatchHub {
  /** Of the wall: watches end and are paced in real time. */
  readonly clock: Clock
  readonly #log: (line: string) => void
  readonly limits: WatchLimits
  readonly #watchers = new Set<Watcher>()
  #due: Watcher[] = []
  #isScheduled = false
  #flushedMs = 0
  #flushedWatchers = 0
  #cancelSweep: CancelTimer | undefined

  constructor(clock: Clock, limits: WatchLimits, log: (line: string) => void) {
    this.clock = clock
    this.#log = log
    this.limits = limits
  }

  get count(): number {
    return this.#watchers.size
  }

  get isFull(): boolean {
    return this.#watchers.size >= this.limits.watches
  }

  now(): number {
    return this.clock.now()
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
    this.#cancelSweep ??= this.clock.after(sweepMs, this.#sweep)
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (this.#watchers.size === 0) this.stop()
  }

  /** Ends them all, as a timeout would. */
  endAll(): void {
    for (const watcher of [...this.#watchers]) watcher.end()
    this.stop()
  }

  stop(): void {
    this.#cancelSweep?.()
    this.#cancelSweep = undefined
  }

  schedule(watcher: Watcher): void {
    this.#due.push(watcher)
    if (this.#isScheduled) return
    this.#isScheduled = true
    const paceMs = this.#flushedWatchers < manyWatchers ? 0 : Math.min(longestPaceMs, this.#flushedWatchers * paceMsForEach)
    // A clock that was set back must not hold the events up.
    const restMs = Math.min(paceMs, this.#flushedMs + paceMs - this.clock.now())
    if (restMs > 0) this.clock.after(restMs, this.#flush)
    // After all that has arrived with this turn of the loop has been handled.
    else realClock.after(0, this.#flush)
  }

  readonly #flush = (): void => {
    this.#isScheduled = false
    const due = this.#due
    this.#due = []
    const nowMs = this.clock.now()
    this.#flushedMs = nowMs
    this.#flushedWatchers = due.length
    const joined: JoinedPieces = new Map()
    for (const watcher of due) {
      try {
        watcher.flush(nowMs, joined)
      } catch (error) {
        // Nobody above could answer for it, and the other watchers must get their events.
        this.#log(`Cannot write watch events: ${oneLine(error)}`)
        watcher.drop()
      }
    }
  }

  readonly #sweep = (): void => {
    const nowMs = this.clock.now()
    for (const watcher of [...this.#watchers]) if (watcher.isStalled(nowMs, this.limits.stalledMs)) watcher.drop()
    this.#cancelSweep = this.#watchers.size === 0 ? undefined : this.clock.after(sweepMs, this.#sweep)
  }
}

type Events = readonly WatchEvent[]

/** Pieces that were made of several arrays in this turn, by the first of them. */
type JoinedPieces = Map<Events, { readonly arrays: readonly Events[]; readonly key: string; readonly piece: FramedPiece }>

export class Watcher implements WatchListener {
  readonly #hub: WatchHub
  readonly #view: EventView
  #stream: BodyStream | undefined
  #unsubscribe: () => void = () => {}
  #cancelTimeout: CancelTimer = () => {}
  #pending: Events[] = []
  #pendingCharacters = 0
  /** How many of the pending arrays were there at the start: their size is not counted. */
  #initialArrays = 0
  /** How many events of the first pending array are written. */
  #written = 0
  #isInitial = true
  #isDue = false
  #isFirst = true
  #isEnding = false
  #isClosed = false
  #congestedSinceMs: number | undefined

  constructor(hub: WatchHub, view: EventView) {
    this.#hub = hub
    this.#view = view
  }

  onEvents(events: Events): void {
    if (events.length === 0 || this.#isClosed || this.#isEnding) return
    this.#pending.push(events)
    if (events[events.length - 1]!.type === 'ERROR') this.#isEnding = true
    if (this.#isInitial) this.#initialArrays++
    else {
      this.#pendingCharacters += sizeOf(events)
      if (this.#pendingCharacters > this.#hub.limits.pendingCharacters) this.drop()
    }
    this.#wake()
  }

  /** The answer has begun; `unsubscribe` ends the events. */
  start(stream: BodyStream, unsubscribe: () => void, timeoutMs: number): void {
    this.#stream = stream
    this.#unsubscribe = unsubscribe
    this.#isInitial = false
    this.#hub.add(this)
    stream.onDrain(this.#onDrain)
    this.#cancelTimeout = this.#hub.clock.after(timeoutMs, () => this.end())
    this.#wake()
  }

  readonly #onDrain = (): void => {
    this.#congestedSinceMs = undefined
    this.#wake()
  }

  #wake(): void {
    if (this.#isClosed || this.#isDue || this.#stream === undefined || this.#pending.length === 0 || this.#congestedSinceMs !== undefined)
      return
    this.#isDue = true
    this.#hub.schedule(this)
  }

  flush(nowMs: number, joined: JoinedPieces): void {
    this.#isDue = false
    const stream = this.#stream
    if (this.#isClosed || stream === undefined || this.#congestedSinceMs !== undefined) return
    while (this.#pending.length > 0) {
      if (!stream.writeFramed(this.#nextPiece(nowMs, joined))) {
        if (this.#pending.length > 0 || !this.#isEnding) this.#congestedSinceMs = nowMs
        break
      }
    }
    if (this.#pending.length === 0 && this.#isEnding) this.end()
  }

  #nextPiece(nowMs: number, joined: JoinedPieces): FramedPiece {
    const pending = this.#pending
    const first = pending[0]!
    if (this.#written > 0 || this.#isFirst || sizeOf(first) > pieceCharacters) return this.#slice(first, nowMs)
    if (pending.length === 1) {
      this.#take(pending)
      return sharedPiece(first, this.#view, nowMs)
    }
    const known = joined.get(first)
    if (known !== undefined && known.key === this.#view.key && isPrefix(known.arrays, pending)) {
      this.#take(known.arrays)
      return known.piece
    }
    let characters = 0
    let count = 0
    while (count < pending.length && characters <= pieceCharacters) characters += sizeOf(pending[count++]!)
    const arrays = pending.slice(0, count)
    const text = arrays.map((events) => encodeEvents(events, 0, events.length, this.#view, nowMs, false)).join('')
    const piece = framePiece(text)
    joined.set(first, { arrays, key: this.#view.key, piece })
    this.#take(arrays)
    return piece
  }

  #take(arrays: readonly Events[]): void {
    for (const events of arrays) {
      if (this.#initialArrays > 0) this.#initialArrays--
      else this.#pendingCharacters -= sizeOf(events)
    }
    this.#pending = this.#pending.slice(arrays.length)
  }

  /** Part of an array that is too long to be written at once: what was there when the watch began. */
  #slice(events: Events, nowMs: number): FramedPiece {
    const start = this.#written
    let end = start
    let characters = 0
    while (end < events.length && characters < pieceCharacters) {
      const { object } = events[end++]!
      characters += 'json' in object ? object.json.length : 0
    }
    const text = encodeEvents(events, start, end, this.#view, nowMs, this.#isFirst)
    this.#isFirst = false
    if (end === events.length) {
      this.#written = 0
      this.#take([events])
    } else this.#written = end
    return framePiece(text)
  }

  isStalled(nowMs: number, limitMs: number): boolean {
    return this.#congestedSinceMs !== undefined && nowMs - this.#congestedSinceMs > limitMs
  }

  /** A clean end: the client will come back. */
  end(): void {
    if (this.#isClosed) return
    this.close()
    this.#stream?.end()
  }

  drop(): void {
    if (this.#isClosed) return
    this.close()
    this.#stream?.abort()
  }

  /** Lets go of everything. Also for a client that has gone by itself. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#pending = []
    this.#cancelTimeout()
    this.#unsubscribe()
    this.#hub.remove(this)
  }
}

function isPrefix(arrays: readonly Events[], of: readonly Events[]): boolean {
  return arrays.length <= of.length && arrays.every((events, i) => events === of[i])
}
