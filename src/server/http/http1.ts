// An Exchange over HTTP/1.1.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type BodyStream, collectBody, type Exchange, type FramedPiece, type Headers } from './exchange.ts'
import { http } from './node-http.ts'
import type { AcceptWebSocket, WebSocketConnection, WebSocketListener } from './web-socket.ts'

/**
 * `Expect: 100-continue`: the client waits for the answer 100 before it sends the body. 'none': it does not wait; 'due': nothing
 * was sent yet.
 */
type Continue = 'none' | 'due' | 'sent'

export class Http1Exchange implements Exchange {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #continue: Continue

  constructor(request: IncomingMessage, response: ServerResponse, expectsContinue = false) {
    this.#request = request
    this.#response = response
    this.#continue = expectsContinue && this.hasBody ? 'due' : 'none'
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

  get hasResponded(): boolean {
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
    if (this.#continue === 'due' && !this.hasResponded) {
      this.#continue = 'sent'
      this.#response.writeContinue()
    }
    const body = await collectBody(this.#request, limit)
    // The client may send more, which will not be read.
    if (body === undefined && !this.hasResponded) this.#response.setHeader('connection', 'close')
    return body
  }

  respond(code: number, headers: Headers, body: string | Buffer): void {
    if (this.hasResponded) return
    headers['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    this.#writeHead(code, headers)
    if (this.method === 'HEAD') this.#response.end()
    // With a string body Node encodes the headers as UTF-8 too, but warnings are encoded already.
    else this.#response.end(typeof body === 'string' && headers['warning'] !== undefined ? Buffer.from(body) : body)
  }

  stream(code: number, headers: Headers): BodyStream {
    if (!this.hasResponded) {
      this.#writeHead(code, headers)
      this.#response.flushHeaders()
    }
    return new Http1Stream(this.#response, this.socket)
  }

  #writeHead(code: number, headers: Headers): void {
    // As in Go: a client that received no 100 Continue may send its body or not, so the connection cannot be used again.
    if (this.#continue === 'due') headers['connection'] = 'close'
    this.#response.writeHead(code, headers as Record<string, string>)
    // While an earlier response on the connection is being sent, Node would insert the head of a binary body before the answer 100.
    if (this.#continue === 'sent') this.#response.flushHeaders()
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
 * A request with an Upgrade header. Node's server has released the connection, which is closed after the response. Only WebSocket
 * is supported by this server itself; other upgrades are ignored, unless an aggregated server takes them.
 */
export class Http1UpgradeExchange extends Http1Exchange {
  readonly upgrade?: (protocol: string, listener: WebSocketListener) => WebSocketConnection
  readonly tunnel: () => { readonly socket: Duplex; readonly head: Buffer }

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer, accept: AcceptWebSocket) {
    const response = new http.ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.once('finish', () => socket.end())
    super(request, response)
    this.tunnel = () => {
      response.detachSocket(socket as never)
      return { socket, head }
    }
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

  // Bypasses the response object, which would frame the piece again, in three writes. Not possible for a response without chunks
  // (HTTP/1.0) or one that waits for an earlier response on its connection.
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
    // The response emits no 'drain' for bytes that bypassed it, so the socket is observed too, until the response closes. It is the
    // request's socket: a response that waits for an earlier one has none yet.
    const socket = this.#socket
    this.#response.on('drain', run)
    socket.on('drain', run)
    this.#response.once('close', () => socket.removeListener('drain', run))
  }
}

function ignore(): void {}
