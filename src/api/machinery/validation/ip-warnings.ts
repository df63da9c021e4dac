// Kubernetes: k8s.io/apimachinery/pkg/util/validation.GetWarningsForIP, GetWarningsForCIDR
import { formatIp, parseIp } from './ip-address.ts'

/** A valid address that is not written the way it should be. */
export function ipWarnings(path: string, value: string): string[] {
  const address = parseIp(value)
  if (address === undefined) return []
  const standard = formatIp(address)
  if (address.hasLeadingZeros || address.isMapped)
    return [`${path}: non-standard IP address ${JSON.stringify(value)} is invalid: use ${JSON.stringify(standard)}`]
  if (address.family === 6 && standard !== value)
    return [`${path}: IPv6 address ${JSON.stringify(value)} should be in RFC 5952 canonical format (${JSON.stringify(standard)})`]
  return []
}
