// An Exchange over HTTP/2.
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { realClock } from '../../base/clock.ts'
import { type BodyStream, collectBody, type Exchange, type FramedPiece, type Headers } from './exchange.ts'

export class Http2Exchange implements Exchange {
  readonly socket: TLSSocket
  readonly #stream: ServerHttp2Stream
  readonly #headers: IncomingHttpHeaders
  readonly #rawHeaders: readonly string[]

  constructor(socket: TLSSocket, stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    this.socket = socket
    this.#stream = stream
    this.#headers = headers
    this.#rawHeaders = rawHeaders
    stream.on('error', ignore)
  }

  get method(): string {
    return this.#headers[':method'] ?? 'GET'
  }

  get target(): string {
    return this.#headers[':path'] ?? '/'
  }

  get hasBody(): boolean {
    return !this.#stream.endAfterHeaders
  }

  get hasResponded(): boolean {
    return this.#stream.headersSent || this.#stream.destroyed || this.#stream.closed
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  headerValues(name: string): string[] {
    const values: string[] = []
    for (let i = 0; i + 1 < this.#rawHeaders.length; i += 2)
      if (this.#rawHeaders[i]!.toLowerCase() === name) values.push(this.#rawHeaders[i + 1]!)
    return values
  }

  headerNames(): string[] {
    return Object.keys(this.#headers)
  }

  readBody(limit: number): Promise<Buffer | undefined> {
    return this.#stream.readableEnded ? Promise.resolve(Buffer.alloc(0)) : collectBody(this.#stream, limit)
  }

  respond(code: number, headers: Headers, body: string | Buffer): void {
    if (this.hasResponded) return
    headers[':status'] = code
    headers['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const isEmpty = this.method === 'HEAD' || body.length === 0
    this.#stream.respond(headers as Record<string, string>, { endStream: isEmpty })
    if (!isEmpty) this.#stream.end(body)
    this.#discardBody()
    // The response is complete: the rest of the request is not needed. Node sends a head without a body in the next turn only.
    const close = () => this.#stream.close(constants.NGHTTP2_NO_ERROR)
    if (!this.#stream.readableEnded) this.#stream.once('finish', isEmpty ? () => void realClock.after(0, close) : close)
  }

  // An unread body would keep the stream open.
  #discardBody(): void {
    if (!this.#stream.readableFlowing) this.#stream.resume()
  }

  stream(code: number, headers: Headers): BodyStream {
    if (!this.hasResponded) {
      headers[':status'] = code
      this.#stream.respond(headers as Record<string, string>)
      this.#discardBody()
    }
    return new Http2Body(this.#stream)
  }

  abort(): void {
    // Not close(): that completes the body first, so that a client takes what it has received for the whole.
    this.#stream.destroy(new Error('aborted'))
  }

  onClose(run: () => void): void {
    if (this.#stream.closed || this.#stream.destroyed) run()
    else this.#stream.once('close', run)
  }
}

class Http2Body implements BodyStream {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  write(piece: Buffer): boolean {
    return this.#stream.destroyed || this.#stream.writableEnded || this.#stream.write(piece)
  }

  writeFramed({ plain }: FramedPiece): boolean {
    return this.write(plain)
  }

  end(): void {
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.end()
  }

  abort(): void {
    // Not close(): that completes the body first, so that a client takes what it has received for the whole.
    this.#stream.destroy(new Error('aborted'))
  }

  onDrain(run: () => void): void {
    this.#stream.on('drain', run)
  }
}

function ignore(): void {}
