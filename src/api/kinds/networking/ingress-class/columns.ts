import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { IngressClass } from '../../../types.ts'

export const ingressClassColumns: Columns<IngressClass> = {
  definitions: [
    nameColumn,
    text('Controller', 'The controller that serves Ingresses of this class.'),
    text('Parameters', 'An object with more parameters.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    isDefault(object) ? `${nameOf(object)} (default)` : nameOf(object),
    object.spec?.controller ?? '',
    parametersCell(object),
    ageOf(object, nowMs),
  ],
}

function parametersCell({ spec }: IngressClass): string {
  const parameters = spec?.parameters
  if (parameters === undefined) return '<none>'
  const { kind, apiGroup, name } = parameters
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`
}

const isDefault = ({ metadata }: IngressClass) => metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
