// What is wrong with a definition. The rules about its schemas are in ../../../machinery/structural.
import { type FieldError, invalid, notSupported, required } from '../../../machinery/field-error.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'
import { isDns1035Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'

export function validateDefinition(object: CustomResourceDefinition): FieldError[] {
  const { spec, metadata } = object
  const errors: FieldError[] = []
  if (metadata?.name !== `${spec.names.plural}.${spec.group}`)
    errors.push(invalid('metadata.name', metadata?.name ?? '', 'must be spec.names.plural+"."+spec.group'))
  return [...errors, ...validateSpec(spec)]
}

export function validateDefinitionUpdate(next: CustomResourceDefinition, _current: CustomResourceDefinition): FieldError[] {
  return validateSpec(next.spec)
}

export function validateDefinitionStatus(): FieldError[] {
  return []
}

function validateSpec(spec: CustomResourceDefinition['spec']): FieldError[] {
  const errors: FieldError[] = []
  if (spec.group === '') errors.push(required('spec.group', ''))
  else if (isDns1123Subdomain(spec.group).length > 0)
    errors.push(invalid('spec.group', spec.group, isDns1123Subdomain(spec.group).join(',')))
  else if (!spec.group.includes('.')) errors.push(invalid('spec.group', spec.group, 'should be a domain with at least one dot'))
  if (spec.scope === '') errors.push(required('spec.scope', ''))
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']))
  for (const [at, version] of (spec.versions ?? []).entries())
    if (isDns1035Label(version.name).length > 0)
      errors.push(invalid(`spec.versions[${at}].name`, version.name, isDns1035Label(version.name).join(',')))
  return errors
}
