// Kubernetes: pkg/registry/networking/ingressclass.ingressClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printIngressClass
// Kubernetes: pkg/apis/networking/v1.SetDefaults_IngressClass
import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { IngressClass } from '../../../types.ts'
import { validateIngressClass, validateIngressClassUpdate } from './validation.ts'

export const ingressClasses: Kind<IngressClass> = {
  ...resource('networking.IngressClass'),
  strategy: {
    generation: true,
    default({ spec }) {
      if (spec?.parameters) spec.parameters = fill('networking.IngressClassParametersReference', spec.parameters, { scope: 'Cluster' })
    },
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateIngressClass,
    validateUpdate: validateIngressClassUpdate,
  },
  columns: columnsOf([
    { ...nameColumn, cell: nameCell },
    text('Controller', 'The controller that serves Ingresses of this class.', ({ spec }) => spec?.controller ?? ''),
    text('Parameters', 'An object with more parameters.', parametersCell),
    ageColumn,
  ]),
}

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
