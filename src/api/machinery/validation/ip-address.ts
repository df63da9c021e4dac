// IP addresses and CIDR blocks, as strictly as Kubernetes reads them: no leading zeros, no IPv4 inside IPv6, and for a
// block no bits beyond its prefix.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.IsValidInterfaceAddress, IsValidIP, IsValidIPForLegacyField, IsValidCIDR, IsValidCIDRForLegacyField
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.parseIP, parseCIDR

export interface IpAddress {
  readonly family: 4 | 6
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[]
  readonly hasLeadingZeros: boolean
  /** Written as IPv6, but an IPv4 address: `::ffff:1.2.3.4`. */
  readonly isMapped: boolean
}

const badIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const badCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

export function parseIp(text: string): IpAddress | undefined {
  if (text.length > 200) return undefined
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  const bytes: number[] = []
  let hasLeadingZeros = false
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part)) return undefined
    const byte = Number(part)
    if (byte > 255) return undefined
    if (part.length > 1 && part.startsWith('0')) hasLeadingZeros = true
    bytes.push(byte)
  }
  return { family: 4, bytes, hasLeadingZeros, isMapped: false }
}

function parseIpv6(text: string): IpAddress | undefined {
  const gap = text.indexOf('::')
  if (gap >= 0 && text.indexOf('::', gap + 1) >= 0) return undefined
  const head = readGroups(gap < 0 ? text : text.slice(0, gap), gap < 0)
  const tail = gap < 0 ? { groups: [], hasLeadingZeros: false } : readGroups(text.slice(gap + 2), true)
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.groups.length - tail.groups.length
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head.groups, ...new Array<number>(missing).fill(0), ...tail.groups]
  return {
    family: 6,
    bytes: groups.flatMap((group) => [group >> 8, group & 255]),
    hasLeadingZeros: head.hasLeadingZeros || tail.hasLeadingZeros,
    isMapped: groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff,
  }
}

function readGroups(text: string, mayEndInIpv4: boolean): { groups: number[]; hasLeadingZeros: boolean } | undefined {
  const groups: number[] = []
  let hasLeadingZeros = false
  if (text === '') return { groups, hasLeadingZeros }
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (mayEndInIpv4 && index === parts.length - 1 && part.includes('.')) {
      const ipv4 = parseIpv4(part)
      if (ipv4 === undefined) return undefined
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.bytes
      groups.push((a << 8) | b, (c << 8) | d)
      hasLeadingZeros ||= ipv4.hasLeadingZeros
    } else {
      if (!/^[0-9a-fA-F]+$/.test(part)) return undefined
      const group = Number.parseInt(part, 16)
      if (group > 0xffff) return undefined
      // Go's strict parser refuses more than four digits; the lenient one checks only the value.
      hasLeadingZeros ||= part.length > 4
      groups.push(group)
    }
  }
  return { groups, hasLeadingZeros }
}

/** The only form that Kubernetes accepts in new fields: RFC 5952. An IPv4 address inside IPv6 is written as IPv4. */
export function formatIp(ip: IpAddress): string {
  if (ip.family === 4 || ip.isMapped) return ip.bytes.slice(-4).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => ((ip.bytes[index * 2] ?? 0) << 8) | (ip.bytes[index * 2 + 1] ?? 0))
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === 0) length += 1
    if (length > best.length) best = { start, length }
    start += length
  }
  const hex = (some: readonly number[]) => some.map((group) => group.toString(16)).join(':')
  if (best.start < 0) return hex(groups)
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`
}

/** For fields that do not insist on the canonical spelling: nearly all. */
export function isValidIp(value: string): string[] {
  const ip = parseIp(value)
  if (ip === undefined) return [badIp]
  if (ip.hasLeadingZeros) return ['must not have leading 0s']
  return ip.isMapped ? ['must not be an IPv4-mapped IPv6 address'] : []
}

/** For new fields: the canonical spelling too. */
export function isCanonicalIp(value: string): string[] {
  const messages = isValidIp(value)
  const ip = parseIp(value)
  if (messages.length > 0 || ip === undefined) return messages
  const canonical = formatIp(ip)
  return canonical === value ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}

/** An address of an interface with its prefix length: `10.9.8.7/24`. */
export function interfaceAddressMessages(value: string): string[] {
  const slash = value.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(value.slice(0, slash))
  const digits = value.slice(slash + 1)
  const bits = Number(digits)
  if (ip === undefined || !/^[0-9]+$/.test(digits) || bits > ip.bytes.length * 8)
    return ['must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)']
  const canonical = `${formatIp(ip)}/${bits}`
  return canonical === value ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}

export function isCidr(value: string): string[] {
  const slash = value.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(value.slice(0, slash))
  const digits = value.slice(slash + 1)
  const bits = Number(digits)
  if (ip === undefined || !/^[0-9]+$/.test(digits) || bits > ip.bytes.length * 8) return [badCidr]
  if (ip.hasLeadingZeros || (digits.length > 1 && digits.startsWith('0'))) return ['must not have leading 0s in IP or prefix length']
  if (ip.isMapped) return ['must not have an IPv4-mapped IPv6 address']
  const isMasked = ip.bytes.every((byte, index) => (byte & (0xff >> Math.min(8, Math.max(0, bits - index * 8)))) === 0)
  return isMasked ? [] : ['must not have bits set beyond the prefix length']
}

// Kubernetes: k8s.io/apimachinery/pkg/util/validation.GetWarningsForIP, GetWarningsForCIDR
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
