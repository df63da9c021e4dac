// IP addresses and blocks of them.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.ip.*, cidrs.*
import { formatIp, type IpAddress, parseIp } from '../../validation/ip-address.ts'
import { bool, int, opaque, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { OpaqueValue } from '../values.ts'
import { traverse, traverseTwice } from './costs.ts'

const address = opaque('net.IP')
const block = opaque('net.CIDR')

interface IpBlock {
  readonly ip: IpAddress
  readonly bits: number
}

type Address = OpaqueValue<IpAddress>
type Block = OpaqueValue<IpBlock>

const isSameIp = (one: IpAddress, other: IpAddress) => formatIp(one) === formatIp(other)
const isSameBlock = (one: IpBlock, other: IpBlock) => one.bits === other.bits && isSameIp(one.ip, other.ip)
const addressOf = (ip: IpAddress): Address => new OpaqueValue(address, ip, isSameIp)
const blockOf = (ip: IpAddress, bits: number): Block => new OpaqueValue(block, { ip, bits }, isSameBlock)

/** The address, or what is wrong with it. */
function readAddress(text: string): Address | string {
  const quoted = JSON.stringify(text)
  if (text.includes('%')) return `IP address ${quoted} with zone value is not allowed`
  const ip = parseIp(text)
  if (ip === undefined || ip.hasLeadingZeros)
    return `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`
  if (ip.isMapped && ip.family === 6) return `IPv4-mapped IPv6 address ${quoted} is not allowed`
  return addressOf(ip)
}

function readBlock(text: string): Block | string {
  const quoted = JSON.stringify(text)
  const slash = text.lastIndexOf('/')
  const wrong = (why: string) => `network address parse error during conversion from string: netip.ParsePrefix(${quoted}): ${why}`
  if (slash < 0) return wrong("no '/'")
  const ip = parseIp(text.slice(0, slash))
  if (ip === undefined || ip.hasLeadingZeros) return wrong(`ParseAddr(${JSON.stringify(text.slice(0, slash))}): unable to parse IP`)
  const digits = text.slice(slash + 1)
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return wrong(`bad bits after slash: ${JSON.stringify(digits)}`)
  const bits = Number(digits)
  if (bits > ip.bytes.length * 8) return wrong('prefix length out of range')
  if (ip.isMapped && ip.family === 6) return `IPv4-mapped IPv6 address ${quoted} is not allowed`
  return blockOf(ip, bits)
}

function orThrow<T>(value: T | string): T {
  if (typeof value === 'string') throw new EvaluationError(value)
  return value
}

const parseAddress = (text: string) => orThrow(readAddress(text))
/** Kubernetes repeats the message. */
const parseBlock = (text: string) => {
  const value = readBlock(text)
  return orThrow(typeof value === 'string' ? `network address parse error during conversion from string: ${value}` : value)
}

function maskedBytes(ip: IpAddress, bits: number): number[] {
  return ip.bytes.map((byte, at) => {
    const kept = Math.max(0, Math.min(8, bits - at * 8))
    return byte & ((0xff << (8 - kept)) & 0xff)
  })
}

function contains({ content: { ip: first, bits } }: Block, ip: IpAddress): boolean {
  if (first.family !== ip.family) return false
  const wanted = maskedBytes(first, bits)
  return maskedBytes(ip, bits).every((byte, at) => byte === wanted[at])
}

const containsBlock = (one: Block, { content: other }: Block) => one.content.bits <= other.bits && contains(one, other.ip)

const isUnspecified = ({ content: ip }: Address) => ip.bytes.every((byte) => byte === 0)
const isLoopback = ({ content: ip }: Address) =>
  ip.family === 4 ? ip.bytes[0] === 127 : ip.bytes.slice(0, 15).every((byte) => byte === 0) && ip.bytes[15] === 1
const isMulticast = ({ content: ip }: Address) => (ip.family === 4 ? (ip.bytes[0]! & 0xf0) === 0xe0 : ip.bytes[0] === 0xff)
const isLinkLocalMulticast = ({ content: ip }: Address) =>
  ip.family === 4 ? ip.bytes[0] === 224 && ip.bytes[1] === 0 && ip.bytes[2] === 0 : ip.bytes[0] === 0xff && (ip.bytes[1]! & 0x0f) === 2
const isLinkLocalUnicast = ({ content: ip }: Address) =>
  ip.family === 4 ? ip.bytes[0] === 169 && ip.bytes[1] === 254 : ip.bytes[0] === 0xfe && (ip.bytes[1]! & 0xc0) === 0x80
const isGlobalUnicast = (address: Address) =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !(address.content.family === 4 && address.content.bytes.every((byte) => byte === 255))

const compareCost = ([one]: readonly unknown[]) => Math.ceil((one as Block).content.ip.bytes.length * 0.2)
const parseAndCompareCost = (args: readonly unknown[]) => compareCost(args) + traverse([args[1]])

export const network: Functions = {
  ip: [global([string], address, parseAddress, traverse), member([block], address, ({ content }: Block) => addressOf(content.ip))],
  isIP: [global([string], bool, (text: string) => typeof readAddress(text) !== 'string', traverse)],
  'ip.isCanonical': [global([string], bool, (text: string) => formatIp(parseAddress(text).content) === text, traverseTwice)],
  family: [member([address], int, ({ content: ip }: Address) => BigInt(ip.family))],
  isUnspecified: [member([address], bool, isUnspecified)],
  isLoopback: [member([address], bool, isLoopback)],
  isLinkLocalMulticast: [member([address], bool, isLinkLocalMulticast)],
  isLinkLocalUnicast: [member([address], bool, isLinkLocalUnicast)],
  isGlobalUnicast: [member([address], bool, isGlobalUnicast)],
  cidr: [global([string], block, parseBlock, traverse)],
  isCIDR: [global([string], bool, (text: string) => typeof readBlock(text) !== 'string', traverse)],
  containsIP: [
    member([block, string], bool, (one: Block, text: string) => contains(one, parseAddress(text).content), parseAndCompareCost),
    member([block, address], bool, (one: Block, other: Address) => contains(one, other.content), compareCost),
  ],
  containsCIDR: [
    member([block, string], bool, (one: Block, text: string) => containsBlock(one, parseBlock(text)), parseAndCompareCost),
    member([block, block], bool, containsBlock, compareCost),
  ],
  prefixLength: [member([block], int, ({ content }: Block) => BigInt(content.bits))],
  masked: [member([block], block, ({ content: { ip, bits } }: Block) => blockOf({ ...ip, bytes: maskedBytes(ip, bits) }, bits))],
  string: [
    global([address], string, ({ content: ip }: Address) => formatIp(ip)),
    global([block], string, ({ content: { ip, bits } }: Block) => `${formatIp(ip)}/${bits}`),
  ],
}
