// WebSockets, the side of the server: binary messages both ways. `ws` does the protocol; nothing here knows Kubernetes.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

export interface WebSocketListener {
  onMessage(message: Buffer): void
  /** Called once, however it ends. */
  onClose(): void
}

export interface WebSocketConnection {
  send(message: Buffer): void
  close(): void
}

/** What a client asks with. `ws` itself answers the requests that it cannot accept. */
export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What came with the request. */
  readonly head: Buffer
}

export type AcceptWebSocket = (upgrade: UpgradeRequest, protocol: string, listener: WebSocketListener) => WebSocketConnection

const maxMessageBytes = 1024 * 1024
const closedNormally = 1000

/** Answers yes, in that protocol. */
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
    // The connection ends with the code that says why.
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
