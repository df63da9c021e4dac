import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultClaimSpec } from '../resource-claim/defaults.ts'
import { resourceClaimTemplateTypes } from './schema.ts'
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts'

export const resourceClaimTemplates: Kind<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  namespaced: true,
  type: 'resource.ResourceClaimTemplate',
  types: resourceClaimTemplateTypes,
  strategy: {
    names: 'dns-subdomain',
    default({ spec }) {
      if (spec?.spec) defaultClaimSpec(spec.spec)
    },
    validate: validateResourceClaimTemplate,
    validateUpdate: validateResourceClaimTemplateUpdate,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}
