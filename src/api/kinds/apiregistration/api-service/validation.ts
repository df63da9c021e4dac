// Kubernetes: k8s.io/kube-aggregator/pkg/apis/apiregistration/validation.ValidateAPIService, ValidateAPIServiceStatusUpdate
import { type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import { decodedLength } from '../../../machinery/validation/data-fields.ts'
import { isDns1035Label, isDns1123Subdomain, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { ApiService } from '../../../types.ts'

export function validateApiService(apiService: ApiService): FieldError[] {
  const errors: FieldError[] = []
  const spec: Partial<NonNullable<ApiService['spec']>> = apiService.spec ?? {}
  const { group = '', version = '', service, caBundle, insecureSkipTLSVerify = false } = spec
  const name = apiService.metadata?.name ?? ''
  const wanted = `${version}.${group}`
  const base = apiService.metadata?.generateName ?? ''
  if (base !== '' && base !== wanted)
    errors.push(invalid('metadata.generateName', base, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`))
  if (name !== '' && name !== wanted)
    errors.push(invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`))
  if (group === '' && version !== 'v1') errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'))
  if (group !== '') for (const message of isDns1123Subdomain(group)) errors.push(invalid('spec.group', group, message))
  for (const message of isDns1035Label(version)) errors.push(invalid('spec.version', version, message))
  for (const [field, most] of [
    ['groupPriorityMinimum', 20000],
    ['versionPriority', 1000],
  ] as const) {
    const value = spec[field] ?? 0
    if (value <= 0 || value > most) errors.push(invalid(`spec.${field}`, value, `must be positive and less than ${most}`))
  }
  if (service === undefined) {
    if (caBundle) errors.push(invalid('spec.caBundle', `${decodedLength(caBundle)} bytes`, 'local APIServices may not have a caBundle'))
    if (insecureSkipTLSVerify)
      errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'))
    return errors
  }
  if (!service.namespace) errors.push(required('spec.service.namespace', ''))
  if (!service.name) errors.push(required('spec.service.name', ''))
  const problems = isValidPortNumber(service.port ?? 0)
  if (problems.length > 0) errors.push(invalid('spec.service.port', service.port ?? 0, `port is not valid: ${problems.join(', ')}`))
  if (insecureSkipTLSVerify && caBundle) errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'))
  return errors
}

const conditionStatuses = ['True', 'False', 'Unknown']

export function validateApiServiceStatusUpdate(next: ApiService): FieldError[] {
  return (next.status?.conditions ?? []).flatMap(({ status }, index) =>
    conditionStatuses.includes(status) ? [] : [notSupported(`status.conditions[${index}].status`, typed(status), conditionStatuses)],
  )
}
