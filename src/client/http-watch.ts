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

  /** The events whose lines are completed by this chunk, in order. */
  read(text: string): ReadLines<T> {
    const events: WatchEvent<Stored<T>>[] = []
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      const line = this.#complete(text.slice(from, to))
      from = to + 1
      if (line.trim() === '') continue
      const event = parseEvent<T>(line)
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
