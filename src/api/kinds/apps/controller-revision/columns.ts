import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { controllerOf } from '../../../machinery/owners.ts'
import type { ControllerRevision } from '../../../types.ts'

export const controllerRevisionColumns = columnsOf<ControllerRevision>([
  nameColumn,
  text('Controller', 'What it is a revision of.', controllerCell),
  text('Revision', 'Its number.', (revision) => revision.revision ?? 0),
  ageColumn,
])

function controllerCell(revision: ControllerRevision): string {
  const owner = controllerOf(revision)
  if (owner === undefined) return '<none>'
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`
}
