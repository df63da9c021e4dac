// Kubernetes: pkg/apis/networking/validation.ValidateNetworkPolicy, ValidateNetworkPolicyUpdate, ValidateNetworkPolicySpec
// Kubernetes: pkg/apis/networking/validation.ValidateNetworkPolicyPort, ValidateNetworkPolicyPeer, ValidateIPBlock
import { type FieldError, forbidden, invalid, required } from '../../../machinery/field-error.ts'
import type { networking } from '../../../machinery/generated/models.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isCidr, parseIp } from '../../../machinery/validation/ip-address.ts'
import { validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isValidPortName, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { NetworkPolicy } from '../../../types.ts'

type Peer = networking.NetworkPolicyPeer
type Rule = networking.NetworkPolicyIngressRule & networking.NetworkPolicyEgressRule
interface Options {
  readonly allowInvalidValues: boolean
  /** Ranges that the stored policy has: they are not validated again. */
  readonly knownRanges: ReadonlySet<string>
}

export function validateNetworkPolicy(policy: NetworkPolicy): FieldError[] {
  return validateSpec(policy, { allowInvalidValues: false, knownRanges: new Set() })
}

export function validateNetworkPolicyUpdate(next: NetworkPolicy, current: NetworkPolicy): FieldError[] {
  const blocks = rulesOf(current).flatMap(({ rule }) => [...(rule.from ?? []), ...(rule.to ?? [])].flatMap(({ ipBlock }) => ipBlock ?? []))
  return validateSpec(next, {
    allowInvalidValues: validateLabelSelector(current.spec?.podSelector, '').length > 0,
    knownRanges: new Set(blocks.flatMap(({ cidr = '', except = [] }) => [cidr, ...except])),
  })
}

function rulesOf({ spec }: NetworkPolicy): { rule: Rule; path: string }[] {
  const named = (field: string, rules: unknown) =>
    ((rules ?? []) as readonly Rule[]).map((rule, index) => ({ rule, path: `spec.${field}[${index}]` }))
  return [...named('ingress', spec?.ingress), ...named('egress', spec?.egress)]
}

const policyTypes = ['Ingress', 'Egress']

function validateSpec(policy: NetworkPolicy, options: Options): FieldError[] {
  const errors = validateLabelSelector(policy.spec?.podSelector, 'spec.podSelector', options)
  for (const { rule, path } of rulesOf(policy)) {
    for (const [index, port] of (rule.ports ?? []).entries()) addPortErrors(errors, port, `${path}.ports[${index}]`)
    for (const field of ['from', 'to'] as const)
      for (const [index, peer] of (rule[field] ?? []).entries()) addPeerErrors(errors, peer, `${path}.${field}[${index}]`, options)
  }
  const types = policy.spec?.policyTypes ?? []
  if (types.length > policyTypes.length) errors.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'))
  else for (const [index, type] of types.entries()) addUnsupported(errors, type, policyTypes, `spec.policyTypes[${index}]`)
  return errors
}

function addPortErrors(errors: FieldError[], { protocol, port, endPort }: networking.NetworkPolicyPort, path: string): void {
  addUnsupported(errors, protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`)
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is not specified'))
  } else if (typeof port === 'number') {
    for (const message of isValidPortNumber(port)) errors.push(invalid(`${path}.port`, port, message))
    if (endPort === undefined) return
    if (endPort < port) errors.push(invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`'))
    for (const message of isValidPortNumber(endPort)) errors.push(invalid(`${path}.endPort`, endPort, message))
  } else {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is non-numeric'))
    for (const message of isValidPortName(port)) errors.push(invalid(`${path}.port`, port, message))
  }
}

function addPeerErrors(errors: FieldError[], peer: Peer, path: string, options: Options): void {
  const { podSelector, namespaceSelector, ipBlock } = peer
  errors.push(...validateLabelSelector(podSelector, `${path}.podSelector`, options))
  errors.push(...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, options))
  if (ipBlock !== undefined) addBlockErrors(errors, ipBlock, `${path}.ipBlock`, options)
  if (podSelector === undefined && namespaceSelector === undefined && ipBlock === undefined)
    errors.push(required(path, 'must specify a peer'))
  else if (ipBlock !== undefined && (podSelector !== undefined || namespaceSelector !== undefined))
    errors.push(forbidden(path, 'may not specify both ipBlock and another peer'))
}

function addBlockErrors(
  errors: FieldError[],
  { cidr = '', except = [] }: NonNullable<Peer['ipBlock']>,
  path: string,
  options: Options,
): void {
  if (cidr === '') {
    errors.push(required(`${path}.cidr`, ''))
    return
  }
  const addRangeErrors = (range: string, at: string) => {
    if (!options.knownRanges.has(range)) for (const message of isCidr(range)) errors.push(invalid(at, range, message))
  }
  addRangeErrors(cidr, `${path}.cidr`)
  const outer = parseRange(cidr)
  if (outer === undefined) return
  for (const [index, range] of except.entries()) {
    const at = `${path}.except[${index}]`
    addRangeErrors(range, at)
    const inner = parseRange(range)
    if (inner !== undefined && !isStrictSubset(inner, outer)) errors.push(invalid(at, range, 'must be a strict subset of `cidr`'))
  }
}

interface Range {
  readonly bytes: readonly number[]
  readonly bits: number
}

function parseRange(text: string): Range | undefined {
  const slash = text.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  const bits = Number(text.slice(slash + 1))
  return ip === undefined || !Number.isInteger(bits) || bits > ip.bytes.length * 8 ? undefined : { bytes: ip.bytes, bits }
}

function isStrictSubset(inner: Range, outer: Range): boolean {
  if (inner.bytes.length !== outer.bytes.length || inner.bits <= outer.bits) return false
  return outer.bytes.every((byte, index) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, outer.bits - index * 8))) & 0xff
    return (byte & mask) === (inner.bytes[index]! & mask)
  })
}
