// A request and its response, for HTTP/1.1 and HTTP/2 alike. Independent of Kubernetes.
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { WebSocketConnection, WebSocketListener } from './web-socket.ts'

export type Headers = Record<string, string | number | readonly string[]>

/** A response body that is written in pieces. */
export interface BodyStream {
  /** False when the piece was buffered: the caller should wait for `onDrain`. */
  write(piece: Buffer): boolean
  /** As `write`, for a piece that is already framed as an HTTP/1.1 chunk; streams can share it. */
  writeFramed(piece: FramedPiece): boolean
  end(): void
  /** Ends the body in a way that the client detects as an error. */
  abort(): void
  onDrain(run: () => void): void
}

export interface Exchange {
  readonly method: string
  /** Path and query, undecoded. */
  readonly target: string
  readonly socket: TLSSocket
  /** Whether a body follows, even an empty one. */
  readonly hasBody: boolean
  header(name: string): string | undefined
  /** All values of a header that may be repeated. */
  headerValues(name: string): string[]
  /** Names in lower case. */
  headerNames(): string[]
  /** Undefined when the body exceeds `limit` bytes; the rest is then discarded. Rejects when the client disconnects. */
  readBody(limit: number): Promise<Buffer | undefined>
  /** Sends the whole response. Has no effect after a response has started or the client has disconnected. */
  respond(code: number, headers: Headers, body: string | Buffer): void
  stream(code: number, headers: Headers): BodyStream
  /** Switches to WebSocket with that subprotocol. Absent when the client did not request it. */
  readonly upgrade?: (protocol: string, listener: WebSocketListener) => WebSocketConnection
  /** Takes over the connection of a request with an Upgrade header. Absent for other requests. */
  readonly tunnel?: () => { readonly socket: Duplex; readonly head: Buffer }
  readonly hasResponded: boolean
  /** Closes the connection or stream, also in the middle of a response. */
  abort(): void
  /** `run` is called once, when the response has been sent or the connection is lost. */
  onClose(run: () => void): void
}

/** A piece of a body as an HTTP/1.1 chunk (`framed`), and its content within that buffer, which HTTP/2 sends (`plain`). */
export interface FramedPiece {
  readonly framed: Buffer
  readonly plain: Buffer
}

const lineEnd = '\r\n'

export function framePiece(text: string): FramedPiece {
  const piece = emptyPiece(Buffer.byteLength(text))
  piece.plain.write(text)
  return piece
}

export function frameBytes(bytes: Buffer): FramedPiece {
  const piece = emptyPiece(bytes.length)
  bytes.copy(piece.plain)
  return piece
}

function emptyPiece(length: number): FramedPiece {
  const head = length.toString(16) + lineEnd
  const framed = Buffer.allocUnsafe(head.length + length + 2)
  framed.write(head, 0, 'latin1')
  framed.write(lineEnd, head.length + length, 'latin1')
  return { framed, plain: framed.subarray(head.length, head.length + length) }
}

/** How much of a body above the limit is read and discarded, so that the client can read the refusal. */
const maxDiscardedBytes = 32 * 1024 * 1024

interface BodySource {
  on(event: 'data', run: (piece: Buffer) => void): unknown
  on(event: 'end' | 'close', run: () => void): unknown
}

/** The client disconnected before the request was complete. */
export class BodyLostError extends Error {}

export function collectBody(source: BodySource, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = []
    let length = 0
    let isComplete = false
    source.on('data', (piece) => {
      length += piece.length
      if (length <= limit) pieces.push(piece)
      else {
        pieces = []
        if (length > limit + maxDiscardedBytes) resolve(undefined)
      }
    })
    source.on('end', () => {
      isComplete = true
      resolve(length > limit ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length))
    })
    // Emitted after an error, too.
    source.on('close', () => {
      if (!isComplete) reject(new BodyLostError('The client disconnected before its request was complete'))
    })
  })
}
