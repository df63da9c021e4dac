// A socket to an API server, with TLS or without. TLS negotiates the version of HTTP.
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import type { Clock } from '../base/clock.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** Absent: plain HTTP. */
  readonly tls?: {
    readonly context: SecureContext
    readonly serverName?: string
    readonly skipVerify: boolean
    /** Offered to the server, the preferred one first. */
    readonly protocols: readonly Protocol[]
    /** Of the last connection: a handshake that resumes it is cheaper for both sides. */
    session: Buffer | undefined
  }
}

export type Protocol = 'h2' | 'http/1.1'

/** Receives the bytes of a socket. */
interface SocketReader {
  /** The bytes are valid during the call only. */
  read(bytes: Buffer): void
  end(error: Error | undefined): void
}

/** TCP keep-alive detects connections whose other end has vanished. */
const keepAliveMs = 15_000
/** Of the connection and the TLS handshake together. */
const openMs = 10_000
/** All sockets read into it: what arrives is consumed before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(65_536)

/** `onReady` returns the reader. `onFailed` is called if the socket closes before, or is not ready within 10 seconds. */
export function openSocket(
  { host, port, tls }: Endpoint,
  clock: Clock,
  onReady: (socket: Socket, protocol: Protocol) => SocketReader,
  onFailed: (error: Error | undefined) => void,
): Socket {
  let reader: SocketReader | undefined
  const onread = {
    buffer: readBuffer,
    callback(length: number, buffer: Uint8Array) {
      reader?.read((buffer as Buffer).subarray(0, length))
      return true
    },
  }
  const common = { host, port, onread, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }
  const options: ConnectionOptions = {
    ...common,
    ...(tls !== undefined && {
      secureContext: tls.context,
      ALPNProtocols: [...tls.protocols],
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
      ...(tls.session !== undefined && { session: tls.session }),
      ...(tls.skipVerify && { rejectUnauthorized: false }),
    }),
  }
  const ready = () => {
    cancelDeadline()
    reader = onReady(socket, (socket as TLSSocket).alpnProtocol === 'h2' ? 'h2' : 'http/1.1')
  }
  const socket: Socket = tls === undefined ? connect(common, ready) : connectTls(options, ready)
  socket.on('session', (session: Buffer) => {
    if (tls !== undefined) tls.session = session
  })
  const cancelDeadline = clock.after(openMs, () => {
    socket.destroy(new Error(`the server did not accept the connection within ${openMs / 1000} seconds`))
  })
  let isClosed = false
  const close = (error?: Error) => {
    if (isClosed) return
    isClosed = true
    cancelDeadline()
    socket.destroy()
    if (reader === undefined) onFailed(error)
    else reader.end(error)
  }
  socket.on('error', close)
  socket.on('close', () => close())
  return socket
}
