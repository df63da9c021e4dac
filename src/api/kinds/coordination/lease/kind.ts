// Kubernetes: pkg/registry/coordination/lease.leaseStrategy.*
// Kubernetes: pkg/printers/internalversion.printLease
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, notSupported, typed } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { isQualifiedName, notNegativeMessage } from '../../../machinery/validation/names.ts'
import type { Lease } from '../../../types.ts'

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

// Kubernetes: pkg/apis/coordination/validation.ValidateLease, ValidateLeaseUpdate, ValidateLeaseSpec
export function validateLease({ spec = {} }: Lease): FieldError[] {
  const errors: FieldError[] = []
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0)
    errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'))
  if (leaseTransitions !== undefined && leaseTransitions < 0)
    errors.push(invalid('spec.leaseTransitions', leaseTransitions, notNegativeMessage))
  if (strategy !== undefined) {
    // Kubernetes appends the field's name twice.
    const path = 'spec.strategy.strategy'
    if (!strategy.includes('/')) {
      if (strategy !== 'OldestEmulationVersion') errors.push(notSupported(path, typed(strategy), ['OldestEmulationVersion']))
    } else for (const message of isQualifiedName(strategy)) errors.push(invalid(path, typed(strategy), message))
  }
  if (preferredHolder && !strategy) errors.push(forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'))
  return errors
}
