// Kubernetes: pkg/registry/networking/servicecidr.serviceCIDRStrategy.*, serviceCIDRStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printServiceCIDR
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ServiceCidr } from '../../../types.ts'
import { validateServiceCidr, validateServiceCidrUpdate } from './validation.ts'

export const serviceCidrs: Kind<ServiceCidr> = {
  ...resource('networking.ServiceCIDR'),
  strategy: {
    ...ownStatus('networking.ServiceCIDRStatus'),
    ...onlyStatus(),
    validate: validateServiceCidr,
    validateUpdate: validateServiceCidrUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('CIDRs', 'The ranges that Services get their addresses from.', ({ spec }) => (spec?.cidrs ?? []).join(',')),
    ageColumn,
  ]),
}
