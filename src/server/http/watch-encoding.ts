// Watch events as lines of JSON. Watchers of the same selection are handed the same array of events: it is encoded once
// for each view, however many look at it.
import type { ObjectResponse, WatchEvent } from '../rest/rest.ts'
import { partialObject, type TableStyle } from '../table.ts'
import { type FramedPiece, framePiece } from './exchange.ts'
import { headOf } from './json-text.ts'
import type { View } from './media-types.ts'
import { tableOfOne } from './present.ts'
import { isAnswer } from './request.ts'

export interface EventView {
  /** Equal for views that look the same. */
  readonly key: string
  encode(answer: ObjectResponse, nowMs: number, isFirst: boolean): string
}

const plainView: EventView = { key: '', encode: ({ kind, json: text }) => headOf(kind) + text.slice(1) }

export function eventView(view: View, style: TableStyle | undefined): EventView {
  if (style !== undefined)
    return { key: `Table ${style.version} ${style.include}`, encode: (answer, nowMs, isFirst) => tableOfOne(answer, style, nowMs, isFirst) }
  if (view.as === 'PartialObjectMetadata')
    return { key: `Partial ${view.version}`, encode: (answer) => partialObject(answer, view.version) }
  return plainView
}

/** `isFirst` is for tables, whose first one names the columns. */
export function encodeEvents(
  events: readonly WatchEvent[],
  start: number,
  end: number,
  view: EventView,
  nowMs: number,
  isFirst: boolean,
): string {
  let lines = ''
  for (let i = start; i < end; i++) {
    const { type, object } = events[i]!
    const text = isAnswer(object) ? view.encode(object, nowMs, isFirst && i === start) : JSON.stringify(object)
    lines += `{"type":"${type}","object":${text}}\n`
  }
  return lines
}

interface Shared {
  readonly characters: number
  readonly pieces: Map<string, FramedPiece>
}

const shared = new WeakMap<readonly WatchEvent[], Shared>()

function sharedOf(events: readonly WatchEvent[]): Shared {
  let found = shared.get(events)
  if (found === undefined) {
    let characters = 0
    for (const { object } of events) characters += isAnswer(object) ? object.json.length : 200
    found = { characters, pieces: new Map() }
    shared.set(events, found)
  }
  return found
}

/** About how long they are. */
export const sizeOf = (events: readonly WatchEvent[]): number => sharedOf(events).characters

/** All of them, encoded for the first who asks and kept for the others. */
export function sharedPiece(events: readonly WatchEvent[], view: EventView, nowMs: number): FramedPiece {
  const { pieces } = sharedOf(events)
  let piece = pieces.get(view.key)
  if (piece === undefined) {
    piece = framePiece(encodeEvents(events, 0, events.length, view, nowMs, false))
    pieces.set(view.key, piece)
  }
  return piece
}
