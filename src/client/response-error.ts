// The error of a request that was rejected.
import { failure, StatusError } from '../api/machinery/status-error.ts'
import type { Status } from '../api/types.ts'

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
