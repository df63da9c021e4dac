// Validation of list and watch options.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/internalversion/validation.ValidateListOptions, validateWatchOptions
import { type FieldError, forbidden, notSupported } from '../../api/machinery/field-error.ts'
import { invalidError } from '../../api/machinery/status-error.ts'
import type { ListQuery, WatchQuery } from './rest.ts'

const field = 'resourceVersionMatch'

/** Throws a StatusError (422). */
export function validateListQuery(query: ListQuery): void {
  const { resourceVersion = '', resourceVersionMatch = '', continue: token = '', sendInitialEvents } = query
  const errors: FieldError[] = []
  if (resourceVersionMatch !== '') {
    if (resourceVersion === '') errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (token !== '') errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'))
    if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan')
      errors.push(notSupported(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']))
    if (resourceVersionMatch === 'Exact' && resourceVersion === '0')
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  refuse(errors)
}

/** Throws a StatusError (422). */
export function validateWatchQuery({ sendInitialEvents, resourceVersionMatch = '', continue: token = '' }: WatchQuery): void {
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan')
    errors.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (resourceVersionMatch !== '') {
    if (sendInitialEvents === undefined)
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'))
    if (resourceVersionMatch !== 'NotOlderThan') errors.push(notSupported(field, resourceVersionMatch, ['NotOlderThan']))
    if (token !== '') errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  refuse(errors)
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
}
