// Kubernetes: pkg/apis/networking/validation.ValidateIngressClass, ValidateIngressClassUpdate, validateIngressClassParametersReference
import { type FieldError, forbidden, invalid, notSupported, required, tooLong, typed } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { byteLength, isDns1123Label } from '../../../machinery/validation/names.ts'
import { validateDomainPrefixedPath } from '../../../machinery/validation/names-in-fields.ts'
import type { IngressClass } from '../../../types.ts'
import { validateReference } from '../ingress/validation.ts'

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
