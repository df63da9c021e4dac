// The response streams of all watches. The events of one turn of the event loop are written together. A watcher that does not
// read is dropped, which bounds the memory.
import { type CancelTimer, type Clock, realClock } from '../../base/clock.ts'
import type { WatchEvent, WatchListener } from '../rest/rest.ts'
import { type BodyStream, type FramedPiece, framePiece } from './exchange.ts'
import { oneLine } from './log-line.ts'
import { type EventView, encodeEvents, sharedPiece, sizeOf } from './watch-encoding.ts'

interface WatchLimits {
  readonly watches: number
  /** The maximum size of unsent events of a watcher, in characters, without the initial events. */
  readonly pendingCharacters: number
  /** How long a watcher may read nothing. */
  readonly stalledMs: number
}

const sweepMs = 5000
const pieceCharacters = 512 * 1024
// A write has an overhead of about 15 µs. With many watchers, events are collected for an interval, so that the writes take at
// most a tenth of the time: 8 ms for 50 watchers. The first event after a pause is sent immediately.
const minPacedWatchers = 8
const paceMsPerWatcher = 0.16
const maxPaceMs = 60

export class WatchStreams {
  /** A wall clock: watches time out and are paced in real time. */
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

  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
    this.#cancelSweep ??= this.clock.after(sweepMs, this.#sweep)
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (this.#watchers.size === 0) this.stop()
  }

  /** Ends all watches as a timeout would. */
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
    const paceMs = this.#flushedWatchers < minPacedWatchers ? 0 : Math.min(maxPaceMs, this.#flushedWatchers * paceMsPerWatcher)
    // A clock that was set back must not delay the events.
    const restMs = Math.min(paceMs, this.#flushedMs + paceMs - this.clock.now())
    if (restMs > 0) this.clock.after(restMs, this.#flush)
    // After the requests of this turn of the event loop.
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
        // The other watchers must get their events nevertheless.
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

/** Pieces that were encoded from several arrays in this turn, by the first array. */
type JoinedPieces = Map<Events, { readonly arrays: readonly Events[]; readonly key: string; readonly piece: FramedPiece }>

export class Watcher implements WatchListener {
  readonly #streams: WatchStreams
  readonly #view: EventView
  #stream: BodyStream | undefined
  #unsubscribe: () => void = () => {}
  #cancelTimeout: CancelTimer = () => {}
  #pending: Events[] = []
  #pendingCharacters = 0
  /** The number of pending arrays with initial events, whose size is not counted. */
  #initialArrays = 0
  /** The number of events of the first pending array that are written. */
  #written = 0
  #isInitial = true
  #isDue = false
  #isFirst = true
  #isEnding = false
  #isClosed = false
  #congestedSinceMs: number | undefined

  constructor(streams: WatchStreams, view: EventView) {
    this.#streams = streams
    this.#view = view
  }

  onEvents(events: Events): void {
    if (events.length === 0 || this.#isClosed || this.#isEnding) return
    this.#pending.push(events)
    if (events[events.length - 1]!.type === 'ERROR') this.#isEnding = true
    if (this.#isInitial) this.#initialArrays++
    else {
      this.#pendingCharacters += sizeOf(events)
      if (this.#pendingCharacters > this.#streams.limits.pendingCharacters) this.drop()
    }
    this.#wake()
  }

  /** Ends after the pending events are written. */
  onEnd(): void {
    this.#isEnding = true
    if (this.#pending.length === 0) this.end()
  }

  /** Starts writing to the response; `unsubscribe` ends the events. */
  start(stream: BodyStream, unsubscribe: () => void, timeoutMs: number): void {
    this.#stream = stream
    this.#unsubscribe = unsubscribe
    this.#isInitial = false
    this.#streams.add(this)
    stream.onDrain(this.#onDrain)
    this.#cancelTimeout = this.#streams.clock.after(timeoutMs, () => this.end())
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
    this.#streams.schedule(this)
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

  /** A part of an array that is too long for one write: initial events. */
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

  /** A regular end: the client will watch again. */
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

  /** Releases everything. Called also when the client has disconnected. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#pending = []
    this.#cancelTimeout()
    this.#unsubscribe()
    this.#streams.remove(this)
  }
}

function isPrefix(arrays: readonly Events[], of: readonly Events[]): boolean {
  return arrays.length <= of.length && arrays.every((events, i) => events === of[i])
}
