// Parses a watch stream: one JSON object per line, received in chunks.
import { StatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Status, Stored } from '../api/types.ts'
import type { WatchEvent } from './client.ts'

interface ReadLines<T extends KubernetesObject> {
  readonly events: readonly WatchEvent<Stored<T>>[]
  /** Ends the stream. */
  readonly error?: Error
}

export class WatchLines<T extends KubernetesObject> {
  /** The chunks of an incomplete line. Joined when it is complete: a long line must not be copied for each chunk. */
  #pieces: string[] = []
  readonly #omitsManagedFields: boolean

  constructor({ omitsManagedFields = false }: { readonly omitsManagedFields?: boolean } = {}) {
    this.#omitsManagedFields = omitsManagedFields
  }

  /** The events whose lines are completed by this chunk, in order. */
  read(text: string): ReadLines<T> {
    const events: WatchEvent<Stored<T>>[] = []
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      const line = this.#complete(text.slice(from, to))
      from = to + 1
      if (line.trim() === '') continue
      const event = parseEvent<T>(this.#omitsManagedFields ? withoutManagedFields(line) : line)
      if (event instanceof Error) return { events, error: event }
      events.push(event)
    }
    if (from < text.length) this.#pieces.push(text.slice(from))
    return { events }
  }

  #complete(end: string): string {
    if (this.#pieces.length === 0) return end
    const line = this.#pieces.join('') + end
    this.#pieces = []
    return line
  }
}

function parseEvent<T extends KubernetesObject>(line: string): WatchEvent<Stored<T>> | Error {
  let event: { readonly type: string; readonly object: unknown }
  try {
    event = JSON.parse(line) as typeof event
  } catch (error) {
    return new Error(`Cannot read a watch event: ${(error as Error).message}`)
  }
  if (event.type === 'ERROR') return new StatusError(event.object as Status)
  return event as WatchEvent<Stored<T>>
}

const managedFields = '"managedFields":['
const [quote, backslash, open, close, comma] = ['"', '\\', '[', ']', ','].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
]

/**
 * The JSON without the first list of that name. Objects of a busy cluster consist of managedFields to a third or more: skipping
 * them is several times faster than parsing them. In a string, the name would have escaped quotes.
 */
export function withoutManagedFields(json: string): string {
  const start = json.indexOf(managedFields)
  if (start < 0) return json
  let depth = 1
  let at = start + managedFields.length
  for (; depth > 0 && at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === open) depth++
    else if (code === close) depth--
    else if (code === quote) {
      at++
      while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
    }
  }
  if (depth > 0) return json
  if (json.charCodeAt(start - 1) === comma) return json.slice(0, start - 1) + json.slice(at)
  return json.slice(0, start) + json.slice(json.charCodeAt(at) === comma ? at + 1 : at)
}
