// Parses a watch stream: one JSON object per line, received in chunks of bytes.
//
// Half of the garbage of a busy controller would come from here. Therefore managedFields that are not read are cut out of the bytes,
// and each line becomes one string.
import { StatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Status, Stored } from '../api/types.ts'
import type { WatchEvent } from './client.ts'

interface ReadLines<T extends KubernetesObject> {
  readonly events: readonly WatchEvent<Stored<T>>[]
  /** Ends the stream. */
  readonly error?: Error
}

const minBytes = 16_384
/** Far more than two versions of the largest object that a server stores. */
const maxLineBytes = 64 * 1024 * 1024
/** A larger buffer is given up after its line. */
const maxKeptBytes = 262_144

export class WatchLines<T extends KubernetesObject> {
  /** The line that is being received. */
  #bytes = Buffer.allocUnsafeSlow(minBytes)
  #length = 0
  readonly #omitsManagedFields: boolean

  constructor({ omitsManagedFields = false }: { readonly omitsManagedFields?: boolean } = {}) {
    this.#omitsManagedFields = omitsManagedFields
  }

  /** The events whose lines are completed by this chunk, in order. The bytes are not kept. */
  read(chunk: Buffer): ReadLines<T> {
    const events: WatchEvent<Stored<T>>[] = []
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      this.#append(chunk, from, to)
      from = to + 1
      const event = this.#takeLine()
      if (event instanceof Error) return { events, error: event }
      if (event !== undefined) events.push(event)
    }
    if (from < chunk.length) this.#append(chunk, from, chunk.length)
    return { events }
  }

  #append(chunk: Buffer, from: number, to: number): void {
    const length = this.#length + to - from
    if (length > maxLineBytes) throw new Error(`Cannot read a watch event: it is larger than ${maxLineBytes} bytes`)
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    chunk.copy(this.#bytes, this.#length, from, to)
    this.#length = length
  }

  #takeLine(): WatchEvent<Stored<T>> | Error | undefined {
    const line = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.allocUnsafeSlow(minBytes)
    if (isBlank(line)) return undefined
    let event: { readonly type: string; readonly object: unknown }
    try {
      event = JSON.parse(line.toString('utf8', 0, this.#omitsManagedFields ? cutManagedFields(line) : line.length)) as typeof event
    } catch (error) {
      return new Error(`Cannot read a watch event: ${(error as Error).message}`)
    }
    if (event.type === 'ERROR') return new StatusError(event.object as Status)
    return event as WatchEvent<Stored<T>>
  }
}

const managedFields = Buffer.from('"managedFields":[')
const newline = 0x0a
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const isBlank = (line: Buffer) => line[0] !== openObject && line.toString().trim() === ''

/** The position after the list or object that begins at `start`; -1 if it does not end. */
function endOf(line: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < line.length; at++) {
    const code = line[at]
    if (code === quote) {
      at++
      while (at < line.length && line[at] !== quote) at += line[at] === backslash ? 2 : 1
    } else if (code === openObject || code === openList) depth++
    else if ((code === closeObject || code === closeList) && --depth === 0) return at + 1
  }
  return -1
}

/**
 * Removes the first list of that name, in place, and returns the new length. Objects of a busy cluster consist of managedFields to
 * a third or more: skipping them is several times faster than parsing them. In a string, the name would have escaped quotes.
 */
function cutManagedFields(line: Buffer): number {
  let start = line.indexOf(managedFields)
  if (start < 0) return line.length
  let end = endOf(line, start + managedFields.length - 1)
  if (end < 0) return line.length
  if (line[start - 1] === comma) start--
  else if (line[end] === comma) end++
  line.copy(line, start, end)
  return line.length - (end - start)
}
