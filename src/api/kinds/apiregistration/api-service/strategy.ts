// Kubernetes: k8s.io/kube-aggregator/pkg/registry/apiservice.apiServerStrategy.*, apiServerStatusStrategy.*
import { formatTime } from '../../../../base/clock.ts'
import { fill } from '../../../machinery/fields.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ApiService } from '../../../types.ts'
import { validateApiService, validateApiServiceStatusUpdate } from './validation.ts'

const own = ownStatus<ApiService>('apiregistration.APIServiceStatus')

export const apiServiceStrategy: Strategy<ApiService> = {
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
}

const localCondition = (lastTransitionTime: string) => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime,
  reason: 'Local',
  message: 'Local APIServices are always available',
})
