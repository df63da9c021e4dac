import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultClaimSpec } from '../resource-claim/defaults.ts'
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts'

export const resourceClaimTemplates: Kind<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  namespaced: true,
  type: 'resource.ResourceClaimTemplate',
  types: {
    'resource.ResourceClaimTemplate': {
      $typeMeta: 'object',
      spec: 'resource.ResourceClaimTemplateSpec always required #2',
    },
    'resource.ResourceClaimTemplateSpec': {
      metadata: 'meta.ObjectMeta #1',
      spec: 'resource.ResourceClaimSpec always required #2',
    },
  },
  strategy: {
    default({ spec }) {
      if (spec?.spec) defaultClaimSpec(spec.spec)
    },
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateResourceClaimTemplate,
    validateUpdate: validateResourceClaimTemplateUpdate,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}
