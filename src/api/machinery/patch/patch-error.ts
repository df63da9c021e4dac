// Errors for patches that cannot be applied.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.interpretStrategicMergePatchError
// Kubernetes: k8s.io/apimachinery/pkg/util/mergepatch.ErrBadPatchFormatForPrimitiveList, ErrBadArgKind
import { jsonTypeOf } from '../go-text.ts'
import { badRequestError, failure, type StatusError } from '../status-error.ts'

/** The patch is well formed and does not fit the object. Kubernetes does not say why. */
export const patchDoesNotApplyError = (): StatusError =>
  failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

/** An error without a Status of its own in Kubernetes: the response has the code 500 and no reason. */
export const plainPatchError = (message: string): StatusError => failure(500, '', message)

export const malformedPatchError = (value: unknown, goType: string, start = ''): StatusError =>
  badRequestError(`${start}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${goType}`)

/** The fieldValidation of the request. Kubernetes' default is Warn. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'
