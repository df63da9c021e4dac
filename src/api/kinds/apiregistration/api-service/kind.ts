// Kubernetes: k8s.io/kube-aggregator/pkg/registry/apiservice/etcd.REST.ConvertToTable
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ApiService } from '../../../types.ts'
import { apiServiceStrategy } from './strategy.ts'

export const apiServices: Kind<ApiService> = {
  ...resource('apiregistration.APIService'),
  strategy: apiServiceStrategy,
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
