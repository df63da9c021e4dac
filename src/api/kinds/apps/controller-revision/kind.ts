// Kubernetes: pkg/registry/apps/controllerrevision.strategy.*
// Kubernetes: pkg/printers/internalversion.printControllerRevision
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, required, shownAs } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { controllerOf } from '../../../machinery/owners.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { ControllerRevision } from '../../../types.ts'

export const controllerRevisions: Kind<ControllerRevision> = {
  ...resource('apps.ControllerRevision'),
  strategy: {
    validate: validateControllerRevision,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateControllerRevisionUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Controller', 'What it is a revision of.', controllerCell),
    text('Revision', 'Its number.', (revision) => revision.revision ?? 0),
    ageColumn,
  ]),
}

function controllerCell(revision: ControllerRevision): string {
  const owner = controllerOf(revision)
  if (owner === undefined) return '<none>'
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`
}

// ControllerRevisions: their data never changes.
// Kubernetes: pkg/apis/apps/validation.ValidateControllerRevisionCreate, ValidateControllerRevisionUpdate
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
