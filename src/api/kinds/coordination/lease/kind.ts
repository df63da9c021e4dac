// Kubernetes: pkg/registry/coordination/lease.leaseStrategy.*
// Kubernetes: pkg/printers/internalversion.printLease
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Lease } from '../../../types.ts'
import { validateLease } from './validation.ts'

export const leases: Kind<Lease> = {
  ...resource('coordination.Lease'),
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    metadata: { anyFinalizer: true },
    validate: validateLease,
  },
  columns: columnsOf([nameColumn, text('Holder', 'Who holds it.', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn]),
  hasFewEqualParts: true,
}
