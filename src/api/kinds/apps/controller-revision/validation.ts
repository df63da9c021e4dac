// ControllerRevisions: their data never changes.
// Kubernetes: pkg/apis/apps/validation.ValidateControllerRevisionCreate, ValidateControllerRevisionUpdate
import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid, required, shownAs } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { ControllerRevision } from '../../../types.ts'

export function validateControllerRevision(revision: ControllerRevision): FieldError[] {
  const errors: FieldError[] = []
  addNegative(errors, revision.revision, 'revision')
  const data: unknown = revision.data
  if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'))
  else if (typeof data !== 'object' || Array.isArray(data)) errors.push(required('data', 'data must be a valid JSON object'))
  return errors
}

export function validateControllerRevisionUpdate(next: ControllerRevision, current: ControllerRevision): FieldError[] {
  const errors: FieldError[] = []
  addNegative(errors, next.revision, 'revision')
  if (!isEqualJson(next.data, current.data)) errors.push(invalid('data', shownAs(goJson(next.data)), immutableMessage))
  return errors
}
