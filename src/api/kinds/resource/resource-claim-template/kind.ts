import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { resourceClaimTemplateTypes } from './schema.ts'
import { resourceClaimTemplateStrategy } from './strategy.ts'

export const resourceClaimTemplates: Kind<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  type: 'resource.ResourceClaimTemplate',
  types: resourceClaimTemplateTypes,
  strategy: resourceClaimTemplateStrategy,
  columns: nameAndAge,
  returnsDeletedObject: true,
}
