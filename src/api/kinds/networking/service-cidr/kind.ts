// Kubernetes: pkg/registry/networking/servicecidr.serviceCIDRStrategy.*, serviceCIDRStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printServiceCIDR
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'
import { validateServiceCidr, validateServiceCidrUpdate } from './validation.ts'

export const serviceCidrs: Kind<ServiceCidr> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  type: 'networking.ServiceCIDR',
  strategy: {
    ...ownStatus('networking.ServiceCIDRStatus'),
    ...onlyStatus(),
    validate: validateServiceCidr,
    validateUpdate: validateServiceCidrUpdate,
  },
  subresources: { status: true },
  columns: columnsOf([
    nameColumn,
    text('CIDRs', 'The ranges that Services get their addresses from.', ({ spec }) => (spec?.cidrs ?? []).join(',')),
    ageColumn,
  ]),
}
