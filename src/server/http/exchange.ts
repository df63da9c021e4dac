// A request and its answer, the same for HTTP/1.1 and HTTP/2. Nothing here knows Kubernetes.
import type { TLSSocket } from 'node:tls'
import type { WebSocketConnection, WebSocketListener } from './web-socket.ts'

export type Headers = Record<string, string | number | readonly string[]>

/** A body that is written piece by piece. */
export interface BodyStream {
  /** False when the piece had to be kept: write no more before `onDrain` is called. */
  write(piece: Buffer): boolean
  /** As `write`, for a piece that is framed as an HTTP/1.1 chunk already; several streams may share one. */
  writeFramed(piece: FramedPiece): boolean
  end(): void
  /** Ends it so that the client sees that something is missing. */
  abort(): void
  onDrain(run: () => void): void
}

export interface Exchange {
  readonly method: string
  /** The path and the query as they were sent. */
  readonly target: string
  readonly socket: TLSSocket
  /** Whether a body follows, even an empty one. */
  readonly hasBody: boolean
  header(name: string): string | undefined
  /** Every value of a header that may come more than once. */
  headerValues(name: string): string[]
  /** Names in lower case. */
  headerNames(): string[]
  /** Undefined where it is longer than `limit` bytes; then the rest has been thrown away. Rejects when the client goes. */
  readBody(limit: number): Promise<Buffer | undefined>
  /** Answers for good. Does nothing where an answer has begun, or the client is gone. */
  respond(code: number, headers: Headers, body: string | Buffer): void
  stream(code: number, headers: Headers): BodyStream
  /** Goes over to WebSocket in that protocol. Absent: the client did not ask for it. */
  readonly upgrade?: (protocol: string, listener: WebSocketListener) => WebSocketConnection
  readonly answered: boolean
  /** Loses the client, in the middle of an answer or before it. */
  abort(): void
  /** Called once, when the answer has been sent or the connection is lost. */
  onClose(run: () => void): void
}

/** A body's piece with the length before it and the line end behind it, as HTTP/1.1 wants it; HTTP/2 sends the middle. */
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

/** How much of a body that is too long is read and thrown away, so that the client gets to read the refusal. */
export const mostDiscardedBytes = 32 * 1024 * 1024

interface BodySource {
  on(event: 'data', run: (piece: Buffer) => void): unknown
  on(event: 'end' | 'close', run: () => void): unknown
}

/** There is nobody left to answer. */
export class BodyLost extends Error {}

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
        if (length > limit + mostDiscardedBytes) resolve(undefined)
      }
    })
    source.on('end', () => {
      isComplete = true
      resolve(length > limit ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length))
    })
    // It comes after an error, too.
    source.on('close', () => {
      if (!isComplete) reject(new BodyLost('The client went away before its request was complete'))
    })
  })
}
