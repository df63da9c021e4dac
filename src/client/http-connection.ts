// One connection to an API server, over which requests are sent one after the other.
//
// Guarantees: nothing of a request is written before the connection is ready; `payload` is called immediately before the
// bytes are handed to the operating system, in the same turn of the event loop. If it throws, nothing is written. `onWritten` is
// called immediately after; if it throws, the connection is closed, which makes a Kubernetes API server abort the request.
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { type ResponseHead, ResponseReader } from './http-response.ts'

export interface Exchange {
  /** The whole request, as it is sent. */
  payload(): string
  onWritten?(): void
  onHead(head: ResponseHead): void
  /** The bytes are valid during the call only. */
  onBody(bytes: Buffer): void
  onEnd(): void
  /** Nothing is called after it. */
  onError(error: Error): void
}

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** Absent: plain HTTP. */
  readonly tls?: {
    readonly context: SecureContext
    readonly serverName?: string
    readonly skipVerify: boolean
    /** Of the last connection: a handshake that resumes it is cheaper for both sides. */
    session: Buffer | undefined
  }
}

/** TCP keep-alive detects connections whose other end has vanished. */
const keepAliveMs = 15_000
/** All connections read into it: what arrives is consumed before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(65_536)

export class HttpConnection {
  readonly #socket: Socket
  readonly #onIdle: (connection: HttpConnection) => void
  readonly #onClosed: (connection: HttpConnection) => void
  #isReady = false
  #isClosed = false
  #served = 0
  #exchange: Exchange | undefined
  #reader: ResponseReader | undefined

  constructor(
    endpoint: Endpoint,
    { onIdle, onClosed }: { onIdle(connection: HttpConnection): void; onClosed(connection: HttpConnection): void },
  ) {
    this.#onIdle = onIdle
    this.#onClosed = onClosed
    this.#socket = openSocket(
      endpoint,
      (bytes) => this.#read(bytes),
      () => {
        this.#isReady = true
        if (this.#exchange !== undefined) this.#write(this.#exchange)
      },
    )
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(undefined))
  }

  /** Whether an earlier request was answered on it. */
  get isReused(): boolean {
    return this.#served > 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends the request as soon as the connection is ready. Only one at a time. */
  start(exchange: Exchange): void {
    this.#exchange = exchange
    this.#reader = new ResponseReader({
      onHead: (head) => exchange.onHead(head),
      onBody: (bytes) => exchange.onBody(bytes),
      onEnd: (isReusable) => this.#finish(isReusable),
    })
    if (this.#isReady) this.#write(exchange)
  }

  /** Ends the connection; the exchange in progress fails with the error. */
  destroy(error?: Error): void {
    this.#fail(error)
  }

  #write(exchange: Exchange): void {
    let payload: string
    try {
      payload = exchange.payload()
    } catch (error) {
      // Nothing was written: the connection can be used again.
      this.#clear()
      exchange.onError(error as Error)
      this.#onIdle(this)
      return
    }
    this.#socket.write(payload)
    try {
      exchange.onWritten?.()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #read(bytes: Buffer): void {
    try {
      if (this.#reader === undefined) throw new Error('the server sent a response without a request')
      this.#reader.read(bytes)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #finish(isReusable: boolean): void {
    const exchange = this.#exchange
    this.#served++
    this.#clear()
    if (isReusable && !this.#isClosed) this.#onIdle(this)
    else this.#close()
    exchange?.onEnd()
  }

  #fail(error: Error | undefined): void {
    const [exchange, reader] = [this.#exchange, this.#reader]
    // A body without a length ends with the connection.
    if (error === undefined && reader?.end()) return
    this.#clear()
    this.#close()
    exchange?.onError(error ?? closedError(reader?.hasStarted ?? false))
  }

  #clear(): void {
    this.#exchange = undefined
    this.#reader = undefined
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    this.#onClosed(this)
  }
}

/** The code is that of a connection that was reset: the server had closed it before it read the request. */
function closedError(hasStarted: boolean): Error {
  if (hasStarted) return new Error('the server closed the connection in the middle of a response')
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })
}

function openSocket({ host, port, tls }: Endpoint, onBytes: (bytes: Buffer) => void, onReady: () => void): Socket {
  const onread = {
    buffer: readBuffer,
    callback(length: number, buffer: Uint8Array) {
      onBytes((buffer as Buffer).subarray(0, length))
      return true
    },
  }
  const common = { host, port, onread, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }
  if (tls === undefined) return connect(common, onReady)
  const options: ConnectionOptions = {
    ...common,
    secureContext: tls.context,
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
    ...(tls.session !== undefined && { session: tls.session }),
    ...(tls.skipVerify && { rejectUnauthorized: false }),
  }
  const socket: TLSSocket = connectTls(options, onReady)
  socket.on('session', (session) => {
    tls.session = session
  })
  return socket
}
