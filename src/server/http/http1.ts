// HTTP/1.1 as an Exchange, on node's own server objects.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type BodyStream, collectBody, type Exchange, type FramedPiece, type Headers } from './exchange.ts'
import type { AcceptWebSocket, WebSocketConnection, WebSocketListener } from './web-socket.ts'

export class Http1Exchange implements Exchange {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
    request.on('error', ignore)
    response.on('error', ignore)
  }

  get method(): string {
    return this.#request.method ?? 'GET'
  }

  get target(): string {
    return this.#request.url ?? '/'
  }

  get socket(): TLSSocket {
    return this.#request.socket as TLSSocket
  }

  get hasBody(): boolean {
    const { headers } = this.#request
    return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  }

  get answered(): boolean {
    return this.#response.headersSent || this.#response.destroyed
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  headerValues(name: string): string[] {
    return this.#request.headersDistinct[name] ?? []
  }

  headerNames(): string[] {
    return Object.keys(this.#request.headers)
  }

  async readBody(limit: number): Promise<Buffer | undefined> {
    const body = await collectBody(this.#request, limit)
    // More may be on its way, and nobody will read it.
    if (body === undefined && !this.answered) this.#response.setHeader('connection', 'close')
    return body
  }

  respond(code: number, headers: Headers, body: string | Buffer): void {
    if (this.answered) return
    headers['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    this.#response.writeHead(code, headers as Record<string, string>)
    if (this.method === 'HEAD') this.#response.end()
    // Node writes the headers with a body that is text, and encodes them as that: those of warnings are encoded already.
    else this.#response.end(typeof body === 'string' && headers['warning'] !== undefined ? Buffer.from(body) : body)
  }

  stream(code: number, headers: Headers): BodyStream {
    if (!this.answered) {
      this.#response.writeHead(code, headers as Record<string, string>)
      this.#response.flushHeaders()
    }
    return new Http1Stream(this.#response, this.socket)
  }

  abort(): void {
    this.#response.destroy()
  }

  onClose(run: () => void): void {
    if (this.#response.closed || this.#response.destroyed) run()
    else this.#response.once('close', run)
  }
}

/**
 * A request that wants to go over to another protocol. Node's server has let go of its connection: the answer is the last
 * thing there. Only WebSocket can be had; what asks for something else is answered as if it had not.
 */
export class Http1UpgradeExchange extends Http1Exchange {
  readonly upgrade?: (protocol: string, listener: WebSocketListener) => WebSocketConnection

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer, accept: AcceptWebSocket) {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.once('finish', () => socket.end())
    super(request, response)
    const key = request.headers['sec-websocket-key']
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || key === undefined) return
    this.upgrade = (protocol, listener) => {
      response.detachSocket(socket as never)
      return accept({ request, socket, head }, protocol, listener)
    }
  }
}

class Http1Stream implements BodyStream {
  readonly #response: ServerResponse
  readonly #socket: TLSSocket

  constructor(response: ServerResponse, socket: TLSSocket) {
    this.#response = response
    this.#socket = socket
  }

  write(piece: Buffer): boolean {
    return this.#response.destroyed || this.#response.write(piece)
  }

  // Past the response object, which would frame the piece again, in three writes. An answer without chunks
  // (HTTP/1.0) or one that waits behind another on its connection goes the long way.
  writeFramed({ framed, plain }: FramedPiece): boolean {
    const response = this.#response
    if (response.destroyed) return true
    if (!response.chunkedEncoding || response.socket === null || response.writableLength > response.socket.writableLength)
      return response.write(plain)
    return response.socket.write(framed)
  }

  end(): void {
    if (!this.#response.destroyed) this.#response.end()
  }

  abort(): void {
    this.#response.destroy()
  }

  onDrain(run: () => void): void {
    // The response does not hear of what was written past it, and the socket lives on after the response. It is the
    // request's: a response that waits behind another one has none yet.
    const socket = this.#socket
    this.#response.on('drain', run)
    socket.on('drain', run)
    this.#response.once('close', () => socket.removeListener('drain', run))
  }
}

function ignore(): void {}
