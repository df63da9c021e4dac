// A request and its response on a connection, whatever the version of HTTP is.

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  /** Called when the request is written: requests that wait take little memory. */
  body?(): string
  /** Default: JSON. */
  readonly contentType?: string
  /** Default: JSON. */
  readonly accept?: string
}

export interface ResponseHead {
  readonly status: number
  /** The value of the first header of that lower-case name. */
  header(name: string): string | undefined
}

/**
 * Which requests may be sent again after a failure: `any`, because the server has not acted on it, or `read`, because a server closes
 * idle connections at any time, and a read changes nothing.
 */
type Repeatable = 'any' | 'read'

/** An exchange that has failed can be started again. */
export interface Exchange {
  /** Called when a connection is chosen, before the exchange is started on it. */
  onAssigned(connection: ServerConnection): void
  /**
   * Called immediately before the bytes are handed to the operating system, in the same turn of the event loop. If it throws, nothing
   * of the request is written, and the exchange fails with the error.
   */
  request(): HttpRequest
  /**
   * Called immediately before a later part of a body is written that was too large for the windows of the server. If it throws, the
   * request is aborted, and the exchange fails with the error.
   */
  beforePart?(): void
  /** Called immediately after the request or a later part of it was handed over. If it throws, the connection is closed, which makes a Kubernetes API server abort the request. */
  onWritten?(): void
  onHead(head: ResponseHead): void
  /** The bytes are valid during the call only. `isWhole`: they are the whole body. */
  onBody(bytes: Buffer, isWhole: boolean): void
  onEnd(): void
  onError(error: Error, repeatable?: Repeatable): void
}

/** A connection that is ready to be used. */
export interface ServerConnection {
  /** Whether another exchange may be started now. */
  readonly hasRoom: boolean
  /** Whether it has as many exchanges as the server allows on one connection, so that another connection would help. */
  readonly isFull: boolean
  start(exchange: Exchange): void
  /** Ends an exchange; nothing is called on it any more. */
  cancel(exchange: Exchange): void
  /** Closes the connection; its exchanges fail with the error. */
  destroy(error?: Error): void
  /** The bytes are valid during the call only. */
  read(bytes: Buffer): void
  /** The socket was closed. */
  end(error: Error | undefined): void
}

export interface ConnectionEvents {
  /** It may have room again, or its limit is known now. */
  onRoom(connection: ServerConnection): void
  /** It takes no more exchanges, but may finish some. */
  onDraining(connection: ServerConnection): void
  onClosed(connection: ServerConnection): void
}

/** The code is that of a connection that was reset: the server had closed it before it read the request. */
export function closedError(hasStarted: boolean): Error {
  if (hasStarted) return new Error('the server closed the connection in the middle of a response')
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })
}
