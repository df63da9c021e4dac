// A socket to an API server, with TLS or without. TLS negotiates the version of HTTP.
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
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

/** TCP keep-alive detects connections whose other end has vanished. */
const keepAliveMs = 15_000
/** Of the connection and the TLS handshake together. */
const openMs = 10_000

const opening = new WeakMap<Socket, 'connect' | 'secureConnect'>()

/** The socket is destroyed with an error if it is not open within 10 seconds. */
export function openSocket({ host, port, tls }: Endpoint, clock: Clock): Socket {
  const common = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }
  const socket =
    tls === undefined
      ? connect(common)
      : connectTls({
          ...common,
          secureContext: tls.context,
          ALPNProtocols: [...tls.protocols],
          ...(tls.serverName !== undefined && { servername: tls.serverName }),
          ...(tls.session !== undefined && { session: tls.session }),
          ...(tls.skipVerify && { rejectUnauthorized: false }),
        })
  const cancelDeadline = clock.after(openMs, () => {
    socket.destroy(new Error(`the server did not accept the connection within ${openMs / 1000} seconds`))
  })
  const event = tls === undefined ? 'connect' : 'secureConnect'
  opening.set(socket, event)
  socket.once(event, () => {
    opening.delete(socket)
    cancelDeadline()
  })
  socket.once('close', cancelDeadline)
  socket.on('session', (session: Buffer) => {
    if (tls !== undefined) tls.session = session
  })
  return socket
}

/** Calls `run` at once if the socket is open, else when it opens, if ever. */
export function whenOpen(socket: Socket, run: () => void): void {
  const event = opening.get(socket)
  if (event === undefined) run()
  else socket.once(event, run)
}

export const protocolOf = (socket: Socket): Protocol => ((socket as TLSSocket).alpnProtocol === 'h2' ? 'h2' : 'http/1.1')
