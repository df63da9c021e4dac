// Kubernetes: pkg/apis/networking/validation.ValidateServiceCIDR, ValidateServiceCIDRUpdate, validateServiceCIDRSpec
import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { isCidr } from '../../../machinery/validation/ip-address.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { ServiceCidr } from '../../../types.ts'

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

export function validateServiceCidrUpdate(next: ServiceCidr, current: ServiceCidr): FieldError[] {
  return isEqualJson(next.spec?.cidrs, current.spec?.cidrs) ? [] : [invalid('spec.cidrs', next.spec?.cidrs ?? null, immutableMessage)]
}
