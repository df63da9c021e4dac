// An expected failure, with the Status that Kubernetes would return. Every refusal of the server or of a client is a StatusError; any other
// error that is thrown is a bug.
// Kubernetes: k8s.io/apimachinery/pkg/api/errors.NewNotFound, NewAlreadyExists, NewForbidden, NewConflict, NewInvalid, NewBadRequest
// Kubernetes: k8s.io/apimachinery/pkg/api/errors.NewTooManyRequests, NewResourceExpired, NewMethodNotSupported, NewServerTimeout
// Kubernetes: k8s.io/apimachinery/pkg/api/errors.NewInternalError, NewGenericServerResponse
import { type FieldError, fieldErrorMessage, toCause } from './field-error.ts'
import { goQuote } from './go-text.ts'
import type { Status, StatusCause, StatusDetails } from './types.ts'

export class StatusError extends Error {
  readonly status: Status

  constructor(status: Status) {
    // Errors of clients are expected: a stack trace would not help, and capturing it is the most expensive part of the error.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(status.message ?? status.reason ?? 'unknown')
    Error.stackTraceLimit = limit
    this.name = 'StatusError'
    this.status = status
  }

  get code(): number {
    return this.status.code ?? 500
  }

  get reason(): string {
    return this.status.reason ?? ''
  }
}

export function isStatusError(error: unknown, reason?: string): error is StatusError {
  return error instanceof StatusError && (reason === undefined || error.reason === reason)
}

/** Resolves to the result of the request; to undefined if the server refuses it for that reason. */
export async function ignoring<T>(reason: string, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (isStatusError(error, reason)) return undefined
    throw error
  }
}

/** Nothing can be created in the namespace any more, and its objects will be deleted soon. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  isStatusError(error, 'Forbidden') && error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true

interface GroupResource {
  readonly group: string
  readonly plural: string
}

/** As messages name a resource: `pods`, `deployments.apps`. */
export const groupResource = ({ group, plural }: GroupResource) => (group === '' ? plural : `${plural}.${group}`)

export function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    ...(message !== '' && { message }),
    ...(reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code,
  })
}

const about = ({ group, plural }: GroupResource, name: string, more: Partial<StatusDetails> = {}): StatusDetails => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  kind: plural,
  ...more,
})

export const notFoundError = (resource: GroupResource, name: string) =>
  failure(404, 'NotFound', `${groupResource(resource)} "${name}" not found`, about(resource, name))

export const alreadyExistsError = (resource: GroupResource, name: string) =>
  failure(409, 'AlreadyExists', `${groupResource(resource)} "${name}" already exists`, about(resource, name))

/** generateName collided so often that the server gave up. */
export const generateNameConflictError = (resource: GroupResource, name: string) =>
  failure(
    409,
    'AlreadyExists',
    `${groupResource(resource)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    about(resource, name, { retryAfterSeconds: 1 }),
  )

export const conflictError = (resource: GroupResource, name: string, why: string) =>
  failure(409, 'Conflict', `Operation cannot be fulfilled on ${groupResource(resource)} "${name}": ${why}`, about(resource, name))

export const objectModified = 'the object has been modified; please apply your changes to the latest version and try again'

export const badRequestError = (message: string) => failure(400, 'BadRequest', message)
export const unauthorizedError = () => failure(401, 'Unauthorized', 'Unauthorized')
export const expiredError = (message: string) => failure(410, 'Expired', message)
export const tooLargeError = (message: string) => failure(413, 'RequestEntityTooLarge', message)
export const methodNotSupportedError = (resource: GroupResource, action: string) =>
  failure(405, 'MethodNotAllowed', `${action} is not supported on resources of kind "${groupResource(resource)}"`, about(resource, ''))
export const forbiddenError = (resource: GroupResource, name: string, why: string, causes?: readonly StatusCause[]) =>
  failure(
    403,
    'Forbidden',
    name === '' ? `${groupResource(resource)} is forbidden: ${why}` : `${groupResource(resource)} "${name}" is forbidden: ${why}`,
    { ...about(resource, name), ...(causes && { causes }) },
  )
export const tooManyRequestsError = (message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]) =>
  failure(429, 'TooManyRequests', message, { ...(causes && { causes }), retryAfterSeconds })
export const internalError = (message: string) =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })

/** One error for a list of invalid fields. `kind` is the kind of the object, not its resource. */
export function invalidError(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  // Kubernetes lists each distinct message once.
  const messages = [...new Set(errors.map(fieldErrorMessage))]
  const why = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`
  // Both kinds of Event have one internal kind, which has no group.
  const group = kind.group === 'events.k8s.io' ? '' : kind.group
  const qualifiedKind = group === '' ? kind.kind : `${kind.kind}.${group}`
  return failure(422, 'Invalid', `${qualifiedKind} ${goQuote(name)} is invalid: ${why}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(kind.kind !== '' && { kind: kind.kind }),
    causes: errors.map(toCause),
  })
}

// etcd's limit for one request, which is the limit for a stored object.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.isTooLargeError
/** etcd: --max-request-bytes */
export const maxRequestBytes = 1.5 * 1024 * 1024

/** The error of etcd, as the API server passes it on. */
export const requestTooLargeError = (): StatusError => failure(500, '', 'etcdserver: request is too large')
