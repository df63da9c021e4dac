// The cluster IPs of a Service and their families, which belong together and do not change.
// Kubernetes: pkg/apis/core/validation.ValidateServiceClusterIPsRelatedFields, validateUpgradeDowngradeClusterIPs
// Kubernetes: pkg/apis/core/validation.validateUpgradeDowngradeIPFamilies
import { duplicate, type FieldError, invalid, required, typed } from '../../../machinery/field-error.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isValidIp, parseIp } from '../../../machinery/validation/ip-address.ts'
import type { Service } from '../../../types.ts'

type ServiceSpec = Partial<NonNullable<Service['spec']>>

export const isHeadless = ({ clusterIPs }: ServiceSpec): boolean => clusterIPs?.length === 1 && clusterIPs[0] === 'None'

const families = ['IPv4', 'IPv6']
const policyOf = ({ ipFamilyPolicy }: ServiceSpec) => (ipFamilyPolicy === undefined ? undefined : typed(ipFamilyPolicy))

export function addClusterIpErrors(errors: FieldError[], spec: ServiceSpec, old: ServiceSpec | undefined): void {
  if (spec.type === 'ExternalName') return
  const { clusterIP, clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const wrong = (detail: string) => errors.push(invalid('spec.clusterIPs', clusterIPs, detail))
  if (clusterIP) {
    if (clusterIPs.length === 0) errors.push(required('spec.clusterIPs', ''))
    else if (clusterIPs[0] !== clusterIP) wrong('first value must match `clusterIP`')
  } else if (clusterIPs.length > 0) wrong('must be empty when `clusterIP` is not specified')
  const seen = new Set<string>()
  for (const [index, family] of ipFamilies.entries()) {
    addUnsupported(errors, family, families, `spec.ipFamilies[${index}]`)
    if (seen.has(family)) errors.push(duplicate(`spec.ipFamilies[${index}]`, typed(family)))
    seen.add(family)
  }
  addUnsupported(errors, ipFamilyPolicy, 'core.ServiceSpec.ipFamilyPolicy', 'spec.ipFamilyPolicy')
  let isReadable = true
  for (const [index, ip] of clusterIPs.entries()) {
    if (index === 0 && ip === 'None') {
      if (clusterIPs.length > 1) {
        isReadable = false
        wrong("'None' must be the first and only value")
      }
      continue
    }
    const messages = old?.clusterIPs?.includes(ip) ? [] : isValidIp(ip)
    if (messages.length > 0) isReadable = false
    for (const message of messages) errors.push(invalid(`spec.clusterIPs[${index}]`, ip, message))
  }
  if (clusterIPs.length > 2) wrong('may only hold up to 2 values')
  if (!isReadable) return
  const familyOf = (ip: string) => (parseIp(ip)?.family === 6 ? 'IPv6' : 'IPv4')
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size !== clusterIPs.length)
    wrong('may specify no more than one IP for each IP family')
  if (isHeadless(spec)) return
  for (const [index, ip] of clusterIPs.entries()) {
    const family = ipFamilies[index]
    if (family !== undefined && families.includes(family) && familyOf(ip) !== family)
      errors.push(invalid(`spec.clusterIPs[${index}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``))
  }
}

/** The second address of a Service may be added or removed. The first is immutable, except when the type changes from or to ExternalName. */
export function addClusterIpChanges(errors: FieldError[], next: ServiceSpec, current: ServiceSpec): void {
  if (next.type === 'ExternalName' || current.type === 'ExternalName') return
  if (isHeadless(current) && isHeadless(next)) return
  const before = current.clusterIPs ?? []
  const after = next.clusterIPs ?? []
  const changed = (index: number) => errors.push(invalid(`spec.clusterIPs[${index}]`, after, 'may not change once set'))
  if (before.length === after.length) {
    for (const [index, ip] of before.entries()) if (ip !== after[index]) changed(index)
  } else {
    if (after.length === 0) errors.push(invalid('spec.clusterIPs[0]', after, 'primary clusterIP can not be unset'))
    else if (before.length > 0 && after[0] !== before[0]) changed(0)
    if (before.length > after.length && after.length === 1 && next.ipFamilyPolicy !== 'SingleStack')
      errors.push(invalid('spec.ipFamilyPolicy', policyOf(next), "must be set to 'SingleStack' when releasing the secondary clusterIP"))
  }
  if (!isHeadless(current) && !isHeadless(next)) addFamilyChanges(errors, next, current)
}

function addFamilyChanges(errors: FieldError[], next: ServiceSpec, current: ServiceSpec): void {
  const before = current.ipFamilies ?? []
  const after = next.ipFamilies ?? []
  const message = 'may not change once set'
  if (before.length === after.length) {
    for (const [index, family] of before.entries()) if (family !== after[index]) errors.push(invalid('spec.ipFamilies[0]', after, message))
    return
  }
  if (before.length > after.length && (next.clusterIPs?.length ?? 0) === 0)
    errors.push(invalid('spec.ipFamilies[0]', after, 'primary ipFamily can not be unset'))
  // Kubernetes shows the addresses here, not the families.
  if (before.length > 0 && after.length > 0 && after[0] !== before[0]) errors.push(invalid('spec.ipFamilies[0]', next.clusterIPs, message))
  if (before.length > after.length && after.length === 1 && next.ipFamilyPolicy !== 'SingleStack')
    errors.push(invalid('spec.ipFamilyPolicy', policyOf(next), "must be set to 'SingleStack' when releasing the secondary ipFamily"))
}
