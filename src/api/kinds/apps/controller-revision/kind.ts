// Kubernetes: pkg/registry/apps/controllerrevision.strategy.*
// Kubernetes: pkg/printers/internalversion.printControllerRevision
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { controllerOf } from '../../../machinery/owners.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ControllerRevision } from '../../../types.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts'

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
