import type { Strategy } from '../../../machinery/kind.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultResourceClaimTemplate } from './defaults.ts'
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts'

export const resourceClaimTemplateStrategy: Strategy<ResourceClaimTemplate> = {
  names: 'dns-subdomain',
  default: defaultResourceClaimTemplate,
  validate: validateResourceClaimTemplate,
  validateUpdate: validateResourceClaimTemplateUpdate,
}
