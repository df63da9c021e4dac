// Kubernetes: k8s.io/kube-aggregator/pkg/registry/apiservice/etcd.REST.ConvertToTable
// Kubernetes: k8s.io/kube-aggregator/pkg/registry/apiservice.apiServerStrategy.*, apiServerStatusStrategy.*
import { formatTime } from '../../../../base/clock.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { decodedLength } from '../../../machinery/validation/data-fields.ts'
import { isDns1035Label, isDns1123Subdomain, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { ApiService } from '../../../types.ts'

const own = ownStatus<ApiService>('apiregistration.APIServiceStatus')

export const apiServices: Kind<ApiService> = {
  ...resource('apiregistration.APIService'),
  strategy: {
    names: 'path-segment',
    unconditionalUpdate: false,
    default({ spec }) {
      if (spec?.service) spec.service = fill('apiregistration.ServiceReference', spec.service, { port: 443 })
    },
    ...own,
    ...onlyStatus<ApiService>(),
    metadata: { anyFinalizer: true, onUpdate: ['changes', 'as new'] },
    prepareForCreate(object, context) {
      own.prepareForCreate(object, context)
      // A version that the API server itself serves is available at once.
      if (object.spec?.service === undefined) object.status = { conditions: [localCondition(formatTime(context.nowMs))] }
    },
    validate: validateApiService,
    validateStatusUpdate: validateApiServiceStatusUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Service', 'The Service that serves this version, or Local.', ({ spec }) =>
      spec?.service === undefined ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
    ),
    text('Available', 'Whether this version is served.', availableCell),
    ageColumn,
  ]),
}

function availableCell({ status }: ApiService): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available')
  if (condition === undefined) return 'Unknown'
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`
}

const localCondition = (lastTransitionTime: string) => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime,
  reason: 'Local',
  message: 'Local APIServices are always available',
})

// Kubernetes: k8s.io/kube-aggregator/pkg/apis/apiregistration/validation.ValidateAPIService, ValidateAPIServiceStatusUpdate
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

function validateApiServiceStatusUpdate(next: ApiService): FieldError[] {
  return (next.status?.conditions ?? []).flatMap(({ status }, index) =>
    conditionStatuses.includes(status) ? [] : [notSupported(`status.conditions[${index}].status`, typed(status), conditionStatuses)],
  )
}
