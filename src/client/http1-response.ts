// Reads HTTP/1.1 responses from the bytes of a connection, in pieces as they arrive.

import type { ResponseHead } from './exchange.ts'
import { consumeBytes } from './received-bytes.ts'

/** The status line and the headers. Headers are searched on demand, because few of them are read. */
class Http1Head implements ResponseHead {
  readonly status: number
  readonly #text: string
  readonly #lowerCase: string

  constructor(status: number, text: string) {
    this.status = status
    this.#text = text
    this.#lowerCase = text.toLowerCase()
  }

  header(name: string): string | undefined {
    const found = this.#lowerCase.indexOf(`\r\n${name}:`)
    if (found < 0) return undefined
    const start = found + name.length + 3
    const end = this.#text.indexOf('\r\n', start)
    return this.#text.slice(start, end < 0 ? undefined : end).trim()
  }
}

interface ResponseHandlers {
  onHead(head: ResponseHead): void
  /** The bytes are valid during the call only. `isWhole`: they are the whole body. */
  onBody(bytes: Buffer, isWhole: boolean): void
  /** `isReusable`: another request may be sent on the connection. */
  onEnd(isReusable: boolean): void
}

/** The limit for a status line with all its headers, and for the line with the size of a chunk. */
const maxLineBytes = 65_536

type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close' | 'done'

export class ResponseReader {
  readonly #handlers: ResponseHandlers
  #state: State = 'head'
  /** The length of the body, if the head states it. */
  #length = 0
  /** Bytes of the body or chunk that are still to come. */
  #left = 0
  #isReusable = true
  /** The beginning of a head or line that has not arrived in full. */
  #rest: Buffer | undefined

  constructor(handlers: ResponseHandlers) {
    this.#handlers = handlers
  }

  /** Whether any byte of the response has arrived. */
  get hasStarted(): boolean {
    return this.#state !== 'head' || this.#rest !== undefined
  }

  /** Throws if the bytes are not an HTTP response. */
  read(arrived: Buffer): void {
    this.#rest = consumeBytes(this.#rest, arrived, (bytes, at) => this.#step(bytes, at))
    if (this.#rest && this.#rest.length > maxLineBytes) throw new Error('the response has a line or headers that are too long')
  }

  /** The connection was closed by the server. Returns whether the response was complete. */
  end(): boolean {
    if (this.#state === 'until-close') this.#finish(false)
    return this.#state === 'done'
  }

  /** Consumes one element; returns the position after it, or -1 if it is incomplete. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'length':
      case 'chunk':
        return this.#readBody(bytes, at)
      case 'until-close':
        this.#handlers.onBody(bytes.subarray(at), false)
        return bytes.length
      case 'chunk-size':
        return this.#readChunkSize(bytes, at)
      case 'chunk-end':
        return this.#readChunkEnd(bytes, at)
      case 'trailer':
        return this.#readTrailer(bytes, at)
      case 'done':
        throw new Error('the server sent more than the response')
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (end < 0) return -1
    const text = bytes.toString('latin1', at, end)
    const match = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/.exec(text)
    if (match === null) throw new Error(`the response begins with ${JSON.stringify(firstLineOf(text).slice(0, 60))}, which is not HTTP/1.1`)
    const status = Number(match[2])
    const next = end + 4
    // An interim response: the final one follows.
    if (status >= 100 && status < 200 && status !== 101) return next
    const head = new Http1Head(status, text)
    const connection = head.header('connection')?.toLowerCase() ?? ''
    this.#isReusable = match[1] === '1' ? !connection.includes('close') : connection.includes('keep-alive')
    this.#state = this.#bodyState(head)
    this.#handlers.onHead(head)
    if (this.#state === 'length' && this.#left === 0) this.#finish(this.#isReusable)
    return next
  }

  #bodyState(head: ResponseHead): State {
    const { status } = head
    this.#left = 0
    if (status === 101 || status === 204 || status === 304) return 'length'
    if (head.header('transfer-encoding')?.toLowerCase().endsWith('chunked')) return 'chunk-size'
    const length = head.header('content-length')
    if (length === undefined) return 'until-close'
    if (!/^\d+$/.test(length)) throw new Error(`the response has a Content-Length of ${JSON.stringify(length)}`)
    this.#length = Number(length)
    this.#left = this.#length
    return 'length'
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#left, bytes.length)
    this.#left -= end - at
    const isWhole = this.#state === 'length' && end - at === this.#length
    this.#handlers.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), isWhole)
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end'
      else this.#finish(this.#isReusable)
    }
    return end
  }

  #readChunkSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lineFeed, at)
    if (end < 0) return -1
    this.#left = chunkSizeOf(bytes, at, end)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
    return end + 1
  }

  #readChunkEnd(bytes: Buffer, at: number): number {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed)) {
      this.#state = 'chunk-size'
      return bytes[at] === lineFeed ? at + 1 : at + 2
    }
    if (bytes[at] === carriageReturn && at + 1 === bytes.length) return -1
    throw new Error('a chunk of the response is longer than announced')
  }

  #readTrailer(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lineFeed, at)
    if (end < 0) return -1
    if (end === at || (end === at + 1 && bytes[at] === carriageReturn)) this.#finish(this.#isReusable)
    return end + 1
  }

  #finish(isReusable: boolean): void {
    this.#state = 'done'
    this.#handlers.onEnd(isReusable)
  }
}

const firstLineOf = (text: string) => text.split('\r\n', 1)[0]!

const [lineFeed, carriageReturn, tab, space, semicolon] = [0x0a, 0x0d, 0x09, 0x20, 0x3b]
const maxSizeDigits = 13

/** The hexadecimal number at the beginning of the line; extensions may follow it. */
function chunkSizeOf(bytes: Buffer, from: number, to: number): number {
  let size = 0
  let at = from
  for (; at < to; at++) {
    const digit = hexDigit(bytes[at]!)
    if (digit < 0) break
    size = size * 16 + digit
  }
  const digits = at - from
  while (bytes[at] === space || bytes[at] === tab) at++
  const isEnd = at === to || bytes[at] === semicolon || (bytes[at] === carriageReturn && at + 1 === to)
  if (digits === 0 || digits > maxSizeDigits || !isEnd)
    throw new Error(`the response has a chunk of size ${JSON.stringify(bytes.toString('latin1', from, Math.min(to, from + 60)).trimEnd())}`)
  return size
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
