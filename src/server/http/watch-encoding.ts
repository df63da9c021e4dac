// Watch events as lines of JSON. Watchers of the same selection receive the same array of events, which is encoded once for each
// view.
import { getOrAdd } from '../../base/maps.ts'
import type { ObjectResponse, WatchEvent } from '../rest/rest.ts'
import { partialObject, type TableStyle } from '../table.ts'
import { type FramedPiece, framePiece } from './exchange.ts'
import { withKind } from './json-encoding.ts'
import type { View } from './media-types.ts'
import { isObjectResponse } from './request.ts'
import { tableOfOne } from './views.ts'

export interface EventView {
  /** Equal for views with the same encoding. */
  readonly key: string
  encode(response: ObjectResponse, nowMs: number, isFirst: boolean): string
}

const plainView: EventView = { key: '', encode: withKind }

export function eventView(view: View, style: TableStyle | undefined): EventView {
  if (style !== undefined)
    return {
      key: `Table ${style.version} ${style.include}`,
      encode: (response, nowMs, isFirst) => tableOfOne(response, style, nowMs, isFirst),
    }
  if (view.as === 'PartialObjectMetadata')
    return { key: `Partial ${view.version}`, encode: (response) => partialObject(response, view.version) }
  return plainView
}

/** `isFirst` matters for tables: only the first one has column definitions. */
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
    const text = isObjectResponse(object) ? view.encode(object, nowMs, isFirst && i === start) : JSON.stringify(object)
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
  return getOrAdd(shared, events, () => {
    let characters = 0
    for (const { object } of events) characters += isObjectResponse(object) ? object.json.length : 200
    return { characters, pieces: new Map() }
  })
}

/** The approximate encoded size. */
export const sizeOf = (events: readonly WatchEvent[]): number => sharedOf(events).characters

/** The encoded events, cached for the other watchers. */
export function sharedPiece(events: readonly WatchEvent[], view: EventView, nowMs: number): FramedPiece {
  const encode = () => framePiece(encodeEvents(events, 0, events.length, view, nowMs, false))
  return getOrAdd(sharedOf(events).pieces, view.key, encode)
}
