// Server-side WebSockets with binary messages. The library `ws` implements the protocol. Independent of Kubernetes.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

export interface WebSocketListener {
  onMessage(message: Buffer): void
  /** Called once, for every kind of end. */
  onClose(): void
}

export interface WebSocketConnection {
  send(message: Buffer): void
  close(): void
}

/** An upgrade request of a client. `ws` itself refuses invalid ones. */
interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** The bytes that followed the headers. */
  readonly head: Buffer
}

export type AcceptWebSocket = (upgrade: UpgradeRequest, protocol: string, listener: WebSocketListener) => WebSocketConnection

const maxMessageBytes = 1024 * 1024
const closedNormally = 1000

/** Accepts the upgrade with that subprotocol. */
export const acceptWebSocket: AcceptWebSocket = ({ request, socket, head }, protocol, listener) => {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => protocol,
  })
  let connection: WebSocketConnection | undefined
  server.handleUpgrade(request, socket, head, (accepted) => {
    accepted.on('message', (message: Buffer) => listener.onMessage(message))
    accepted.on('close', () => listener.onClose())
    // `ws` closes the connection with the matching code.
    accepted.on('error', () => {})
    connection = {
      send: (message) => accepted.send(message, { binary: true }, () => {}),
      close: () => accepted.close(closedNormally),
    }
  })
  if (connection !== undefined) return connection
  listener.onClose()
  return { send() {}, close() {} }
}
