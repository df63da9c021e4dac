import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { IngressClass } from '../../../types.ts'

export const ingressClassColumns = columnsOf<IngressClass>([
  { ...nameColumn, cell: nameCell },
  text('Controller', 'The controller that serves Ingresses of this class.', ({ spec }) => spec?.controller ?? ''),
  text('Parameters', 'An object with more parameters.', parametersCell),
  ageColumn,
])

function parametersCell({ spec }: IngressClass): string {
  const parameters = spec?.parameters
  if (parameters === undefined) return '<none>'
  const { kind, apiGroup, name } = parameters
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`
}

function nameCell(object: IngressClass): string {
  const isDefault = object.metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
  return isDefault ? `${nameOf(object)} (default)` : nameOf(object)
}
