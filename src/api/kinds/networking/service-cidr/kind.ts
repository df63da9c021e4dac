// Kubernetes: pkg/registry/networking/servicecidr.serviceCIDRStrategy.*, serviceCIDRStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printServiceCIDR
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { isCidr } from '../../../machinery/validation/ip-address.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { ServiceCidr } from '../../../types.ts'

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

// Kubernetes: pkg/apis/networking/validation.ValidateServiceCIDR, ValidateServiceCIDRUpdate, validateServiceCIDRSpec
export function validateServiceCidr({ spec }: ServiceCidr): FieldError[] {
  const cidrs = spec?.cidrs ?? []
  if (cidrs.length === 0) return [required('spec.cidrs', 'at least one CIDR required')]
  if (cidrs.length > 2) return [invalid('spec.cidrs', { CIDRs: cidrs }, 'may only hold up to 2 values')]
  const errors: FieldError[] = []
  if (cidrs.length === 2 && cidrs[0]!.includes(':') === cidrs[1]!.includes(':'))
    errors.push(invalid('spec.cidrs', cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'))
  for (const [index, cidr] of cidrs.entries())
    for (const message of isCidr(cidr)) errors.push(invalid(`spec.cidrs[${index}]`, cidr, message))
  return errors
}

function validateServiceCidrUpdate(next: ServiceCidr, current: ServiceCidr): FieldError[] {
  return isEqualJson(next.spec?.cidrs, current.spec?.cidrs) ? [] : [invalid('spec.cidrs', next.spec?.cidrs ?? null, immutableMessage)]
}
