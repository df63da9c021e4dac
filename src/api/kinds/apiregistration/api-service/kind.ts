import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ApiService } from '../../../types.ts'
import { apiServiceStrategy } from './strategy.ts'

export const apiServices: Kind<ApiService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'apiregistration.APIService',
  types: {
    'apiregistration.APIService': {
      $typeMeta: 'object',
      spec: 'apiregistration.APIServiceSpec #2',
      status: 'apiregistration.APIServiceStatus #3',
    },
    'apiregistration.APIServiceSpec': {
      service: '*apiregistration.ServiceReference #1',
      group: 'string #2',
      version: 'string #3',
      insecureSkipTLSVerify: 'bool #4',
      caBundle: 'bytes goName=CABundle #5',
      groupPriorityMinimum: 'int32 always required #7',
      versionPriority: 'int32 always required #8',
    },
    'apiregistration.APIServiceStatus': {
      conditions: '[]apiregistration.APIServiceCondition patch=merge mergeKey=type list=map keys=type #1',
    },
    'apiregistration.ServiceReference': {
      namespace: 'string #1',
      name: 'string #2',
      port: '*int32 #3',
    },
    'apiregistration.APIServiceCondition': {
      type: 'string always required goType=v1.APIServiceConditionType #1',
      status: 'string always required goType=v1.ConditionStatus #2',
      lastTransitionTime: 'Time #3',
      reason: 'string #4',
      message: 'string #5',
    },
  },
  strategy: apiServiceStrategy,
  subresources: { status: true },
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
