// A request and its response, whatever the version of HTTP is.
import type { IncomingHttpHeaders } from 'node:http'
import { failure, StatusError } from '../api/machinery/status-error.ts'
import type { Status } from '../api/types.ts'

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

/**
 * Which requests may be sent again after a failure: `any`, because the server has not acted on it, or `read`, because a server closes
 * idle connections at any time, and a read changes nothing.
 */
type Repeatable = 'any' | 'read'

/** An exchange that has failed can be started again. After `onEnd`, `onError` or its cancellation nothing is called on it. */
export interface Exchange {
  readonly request: HttpRequest
  /**
   * Called immediately before the request, or a later part of a large body, is handed to a connection that is open. If it throws,
   * nothing more of the request is written, and the exchange fails with the error.
   */
  beforeWrite?(): void
  /** Called when a body was written. If it throws, the connection is closed, which makes a Kubernetes API server abort the request. */
  onWritten?(): void
  onHead(status: number, headers: IncomingHttpHeaders): void
  onBody(bytes: Buffer): void
  onEnd(): void
  onError(error: Error, repeatable?: Repeatable): void
}

/** Ends an exchange. */
export type Cancel = () => void

/** The code is that of a connection that was reset: the server had closed it before it read the request. */
export function closedError(hasStarted: boolean): Error {
  if (hasStarted) return new Error('the server closed the connection in the middle of a response')
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })
}

/** Fails an exchange that cannot be started, when the caller has received the function that cancels it. */
export function failLater(exchange: Exchange, error: Error): Cancel {
  let isCancelled = false
  queueMicrotask(() => {
    if (!isCancelled) exchange.onError(error)
  })
  return () => {
    isCancelled = true
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** The Status in the response; for other bodies, as proxies send them, a Status is made from the code. */
export function errorOf(code: number, text: string): StatusError {
  try {
    const status = JSON.parse(text) as Status
    if (status?.kind === 'Status') return new StatusError({ ...status, code: status.code ?? code })
  } catch {}
  return failure(code, reasons[code] ?? '', text.trim().slice(0, 2048) || `the server responded with the status code ${code}`)
}

/** An eviction that a disruption budget forbids is not retried here: the caller decides when to try again. */
export const isRefusedByBudget = ({ status }: StatusError) =>
  status.details?.causes?.some(({ reason }) => reason === 'DisruptionBudget') ?? false
