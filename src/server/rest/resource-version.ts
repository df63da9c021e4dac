// Parsing of the resourceVersion parameter.
// Kubernetes: k8s.io/apiserver/pkg/storage.APIObjectVersioner.ParseResourceVersion
import { type FieldError, fieldErrorMessage, invalid } from '../../api/machinery/field-error.ts'
import { badRequestError, failure } from '../../api/machinery/status-error.ts'

const maxUint64 = 18446744073709551615n

/** The error of Go's ParseUint; undefined for a valid unsigned number. */
export function parseUintProblem(text: string): string | undefined {
  if (!/^[0-9]+$/.test(text)) return `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`
  if (BigInt(text) > maxUint64) return `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`
  return undefined
}

export function resourceVersionError(text: string): FieldError | undefined {
  const problem = text === '' ? undefined : parseUintProblem(text)
  return problem === undefined ? undefined : invalid('resourceVersion', text, problem)
}

/** The resourceVersion of a list; 0 when absent. */
export function parseResourceVersion(text: string | undefined): number {
  return readVersion(text, (why) => badRequestError(`invalid resource version: ${why}`))
}

/** The resourceVersion of a get; 0 when absent. */
export function parseVersionOfGet(text: string | undefined): number {
  return readVersion(text, (why) => failure(500, '', why))
}

function readVersion(text: string | undefined, refuse: (why: string) => Error): number {
  if (text === undefined || text === '') return 0
  const error = resourceVersionError(text)
  if (error !== undefined) throw refuse(fieldErrorMessage(error))
  return Number(text)
}

export const tooLargeVersionError = (asked: string, current: number, retryAfterSeconds: number) =>
  failure(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  })
