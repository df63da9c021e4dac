// Which combinations of watch options make sense.
import { type FieldError, forbidden, notSupported } from '../../api/field-error.ts'
import { invalidError } from '../../api/status-error.ts'
import type { WatchQuery } from './rest.ts'

const field = 'resourceVersionMatch'

/** Throws a StatusError (422). */
export function validateWatchQuery({ sendInitialEvents, resourceVersionMatch = '' }: WatchQuery): void {
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan')
    errors.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (resourceVersionMatch !== '') {
    if (sendInitialEvents === undefined)
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'))
    if (resourceVersionMatch !== 'NotOlderThan') errors.push(notSupported(field, resourceVersionMatch, ['NotOlderThan']))
  }
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
}
