import type { Strategy } from '../../../machinery/kind.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultResourceClaimTemplate } from './defaults.ts'

export const resourceClaimTemplateStrategy: Strategy<ResourceClaimTemplate> = {
  names: 'dns-subdomain',
  default: defaultResourceClaimTemplate,
}
