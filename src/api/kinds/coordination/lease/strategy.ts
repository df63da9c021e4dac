import type { Strategy } from '../../../machinery/kind.ts'
import type { Lease } from '../../../types.ts'
import { validateLease } from './validation.ts'

/** Coordinated leader election is off by default in Kubernetes v1.36, and Rollcall does not implement it: its fields are dropped. */
export const leaseStrategy: Strategy<Lease> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  unconditionalUpdate: false,
  prepareForCreate(lease) {
    delete lease.spec?.strategy
    delete lease.spec?.preferredHolder
  },
  prepareForUpdate(next, current) {
    if (next.spec && !current.spec?.strategy) delete next.spec.strategy
    if (next.spec && !current.spec?.preferredHolder) delete next.spec.preferredHolder
  },
  validate: validateLease,
}
