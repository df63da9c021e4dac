import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import { controllerOf } from '../../../machinery/owners.ts'
import type { ControllerRevision } from '../../../types.ts'

export const controllerRevisionColumns: Columns<ControllerRevision> = {
  definitions: [nameColumn, text('Controller', 'What it is a revision of.'), text('Revision', 'Its number.'), ageColumn],
  cells: (revision, nowMs) => [nameOf(revision), controllerCell(revision), revision.revision ?? 0, ageOf(revision, nowMs)],
}

function controllerCell(revision: ControllerRevision): string {
  const owner = controllerOf(revision)
  if (owner === undefined) return '<none>'
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`
}
