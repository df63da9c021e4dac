// Kubernetes: pkg/registry/networking/ingressclass.ingressClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printIngressClass
// Kubernetes: pkg/apis/networking/v1.SetDefaults_IngressClass
import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, notSupported, required, tooLong, typed } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { byteLength, isDns1123Label } from '../../../machinery/validation/names.ts'
import { validateDomainPrefixedPath } from '../../../machinery/validation/names-in-fields.ts'
import type { IngressClass } from '../../../types.ts'
import { validateReference } from '../ingress/validation.ts'

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

// Kubernetes: pkg/apis/networking/validation.ValidateIngressClass, ValidateIngressClassUpdate, validateIngressClassParametersReference
const maxControllerBytes = 250

export function validateIngressClass({ spec }: IngressClass): FieldError[] {
  const errors: FieldError[] = []
  const controller = spec?.controller ?? ''
  if (byteLength(controller) > maxControllerBytes) errors.push(tooLong('spec.controller', maxControllerBytes))
  errors.push(...validateDomainPrefixedPath(controller, 'spec.controller'))
  const parameters = spec?.parameters
  if (parameters === undefined) return errors
  const path = 'spec.parameters'
  errors.push(...validateReference(parameters, path))
  const { scope, namespace } = parameters
  if (scope === undefined || scope === null) errors.push(required(`${path}.scope`, ''))
  else if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"))
    else for (const message of isDns1123Label(namespace)) errors.push(invalid(`${path}.namespace`, namespace, message))
  } else if (scope === 'Cluster') {
    if (namespace !== undefined) errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"))
  } else errors.push(notSupported(`${path}.scope`, typed(scope), ['Cluster', 'Namespace']))
  return errors
}

export function validateIngressClassUpdate(next: IngressClass, current: IngressClass): FieldError[] {
  const controller = next.spec?.controller ?? ''
  const changed = controller !== (current.spec?.controller ?? '')
  return [...(changed ? [invalid('spec.controller', controller, immutableMessage)] : []), ...validateIngressClass(next)]
}
