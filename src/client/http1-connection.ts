// One connection to an API server with HTTP/1.1: requests are sent one after the other.
import type { Socket } from 'node:net'
import { type ConnectionEvents, closedError, type Exchange, type HttpRequest, type ServerConnection } from './exchange.ts'
import { ResponseReader } from './http1-response.ts'
import type { RequestHeaders } from './request-headers.ts'

export class Http1Connection implements ServerConnection {
  readonly #socket: Socket
  readonly #headers: RequestHeaders
  readonly #events: ConnectionEvents
  #isClosed = false
  #served = 0
  #exchange: Exchange | undefined
  #reader: ResponseReader | undefined

  constructor(socket: Socket, headers: RequestHeaders, events: ConnectionEvents) {
    this.#socket = socket
    this.#headers = headers
    this.#events = events
  }

  get hasRoom(): boolean {
    return this.#exchange === undefined && !this.#isClosed
  }

  get isFull(): boolean {
    return this.#exchange !== undefined
  }

  start(exchange: Exchange): void {
    let payload: string
    try {
      payload = this.#serialize(exchange.request())
    } catch (error) {
      // Nothing was written: the connection can be used again.
      exchange.onError(error as Error)
      this.#events.onRoom(this)
      return
    }
    this.#exchange = exchange
    this.#reader = new ResponseReader({
      onHead: (head) => exchange.onHead(head),
      onBody: (bytes, isWhole) => exchange.onBody(bytes, isWhole),
      onEnd: (isReusable) => this.#finish(isReusable),
    })
    this.#socket.write(payload)
    try {
      exchange.onWritten?.()
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  cancel(exchange: Exchange): void {
    if (exchange !== this.#exchange) return
    this.#clear()
    this.#close()
  }

  destroy(error?: Error): void {
    const [exchange, reader] = [this.#exchange, this.#reader]
    this.#clear()
    this.#close()
    exchange?.onError(error ?? closedError(reader?.hasStarted ?? false))
  }

  read(bytes: Buffer): void {
    if (this.#isClosed) return
    try {
      if (this.#reader === undefined) throw new Error('the server sent a response without a request')
      this.#reader.read(bytes)
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  end(error: Error | undefined): void {
    const [exchange, reader] = [this.#exchange, this.#reader]
    // A body without a length ends with the connection.
    if (error === undefined && reader?.end()) return
    this.#clear()
    this.#close()
    const failure = error ?? closedError(reader?.hasStarted ?? false)
    const isStale = this.#served > 0 && (failure as NodeJS.ErrnoException).code === 'ECONNRESET'
    exchange?.onError(failure, isStale ? 'read' : undefined)
  }

  #serialize(request: HttpRequest): string {
    const { method, path, contentType, accept } = request
    const body = request.body?.()
    const { authority, pathPrefix, common } = this.#headers
    let head = `${method} ${pathPrefix}${path} HTTP/1.1\r\nhost: ${authority.value}\r\naccept: ${this.#headers.accept(accept).value}\r\n`
    for (const { name, value } of common) head += `${name}: ${value}\r\n`
    const authorization = this.#headers.authorization()
    if (authorization !== undefined) head += `authorization: ${authorization.value}\r\n`
    if (body === undefined) return `${head}\r\n`
    const type = this.#headers.contentType(contentType).value
    return `${head}content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }

  #finish(isReusable: boolean): void {
    const exchange = this.#exchange
    this.#served++
    this.#clear()
    if (!isReusable) this.#close()
    else if (!this.#isClosed) this.#events.onRoom(this)
    exchange?.onEnd()
  }

  #clear(): void {
    this.#exchange = undefined
    this.#reader = undefined
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    this.#events.onClosed(this)
  }
}
