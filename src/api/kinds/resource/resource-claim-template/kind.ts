// Kubernetes: pkg/registry/resource/resourceclaimtemplate.resourceClaimTemplateStrategy.*
// Kubernetes: pkg/printers/internalversion.printResourceClaimTemplate
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultClaimSpec } from '../resource-claim/defaults.ts'
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts'

export const resourceClaimTemplates: Kind<ResourceClaimTemplate> = {
  ...resource('resource.ResourceClaimTemplate'),
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
