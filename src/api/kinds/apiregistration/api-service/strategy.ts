import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ApiService } from '../../../types.ts'
import { defaultApiService } from './defaults.ts'
import { validateApiService, validateApiServiceStatusUpdate } from './validation.ts'

export const apiServiceStrategy: Strategy<ApiService> = {
  names: 'path-segment',
  unconditionalUpdate: false,
  default: defaultApiService,
  ...ownStatus('apiregistration.APIServiceStatus'),
  validate: validateApiService,
  validateUpdate: (next, _current, context) => validateApiService(next, context),
  validateStatusUpdate: validateApiServiceStatusUpdate,
}
