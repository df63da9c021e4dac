// The formats of strings that schemas may ask for, as k8s.io/kube-openapi/pkg/validation/strfmt reads them. A format that is not here is ignored.
// Kubernetes: k8s.io/kube-openapi/pkg/validation/strfmt.defaultFormats.*, IsHostname, IsEmail, ParseDuration, ParseDateTime
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/validation.supportedFormatsAtVersion
import { parseIp } from '../validation/ip-address.ts'
import { byteLength } from '../validation/names.ts'
import { urlProblem } from '../validation/request-url.ts'
import type { JsonSchema } from './definition.ts'

const matching = (pattern: RegExp) => (text: string) => pattern.test(text)

const uuid = (third: string, fourth: string) => matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i'))
const any = '[0-9a-f]{4}'

const isBlock = (text: string) => {
  const slash = text.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  return ip !== undefined && /^[0-9]+$/.test(text.slice(slash + 1)) && Number(text.slice(slash + 1)) <= ip.bytes.length * 8
}

/** A day that exists. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** What follows a second `t` is not read. There are no leap seconds. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t')
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/.exec(time)
  return isDate(date) && match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59'
}

const goDuration = /^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$|^[+-]?0$/
const durationUnit = /^(?:ns|us|\u00b5s|ms|s|m|h|hr|d|w|wk)$|^(?:nano|micro|milli|sec|min|hour|day|week)/i

/** As Go reads durations, or any text with a number before a unit. */
const isDuration = (text: string) =>
  goDuration.test(text) || [...text.matchAll(/(?<![0-9])[0-9]+\s*([A-Za-z\u00b5]+)/g)].some(([, unit = '']) => durationUnit.test(unit))

const label = '[a-zA-Z0-9\\p{S}\\p{L}]'
const hostname = new RegExp(
  `^(?:${label}(?:-?${label}{0,62})?|(?:${label}(?:[-a-zA-Z0-9\\p{S}\\p{L}]{0,61}${label})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
)
const isHostname = (text: string) =>
  hostname.test(text) && byteLength(text) <= 255 && text.split('.').every((part) => byteLength(part) <= 63)

/** 6, 8 or 20 bytes, with one separator throughout or none. */
function isMac(text: string): boolean {
  const digits = text.replace(/[:.-]/g, '')
  const isRegular = /^(?:[0-9a-f]{2}:)+[0-9a-f]{2}$|^(?:[0-9a-f]{2}-)+[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.)+[0-9a-f]{4}$|^[0-9a-f]+$/i.test(text)
  return isRegular && [12, 16, 40].includes(digits.length)
}

const atoms = '[^\\s@<>()\\[\\]:;,."\\\\]+(?:\\.[^\\s@<>()\\[\\]:;,."\\\\]+)*'
const address = `(?:${atoms}|"(?:[^"\\\\]|\\\\.)*")@(?:${atoms}|\\[[^\\]]*\\])`

/** The sum of the digits, each times the factor of its place. */
const weighted = (digits: string, factor: (at: number) => number) =>
  [...digits].reduce((sum, digit, at) => sum + factor(at) * (digit === 'X' ? 10 : Number(digit)), 0)

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  return /^[0-9]{9}[0-9X]$/.test(digits) && weighted(digits, (at) => at + 1) % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  return /^[0-9]{13}$/.test(digits) && weighted(digits, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/

/** The digits of a credit card number, with anything between them. Every second one from the right counts twice. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  const values = [...digits].reverse().map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2))
  return cardNumber.test(digits) && values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0
}

const colorPart = '\\s*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\\s*'
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
const isName = (text: string, most: number) => text.length <= most && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)

/** By their names without dashes. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: (text) => urlProblem(text) === undefined,
  email: matching(new RegExp(`^${address}$|^[^<]*<${address}>$`)),
  hostname: isHostname,
  ipv4: (text) => parseIp(text) !== undefined && text.includes('.'),
  ipv6: (text) => parseIp(text)?.hasLeadingZeros === false && text.includes(':'),
  cidr: isBlock,
  mac: isMac,
  uuid: uuid(any, any),
  uuid3: uuid('3[0-9a-f]{3}', any),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(new RegExp(`^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`)),
  byte: matching(base64),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => isName(text, 63),
  k8slongname: (text) => text.length <= 253 && text.split('.').every((part) => isName(part, 253)),
}

export function isOfFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '')
  return !Object.hasOwn(formats, name) || formats[name]!(text)
}

const ofNumbers: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] }

/** The formats in a schema that have no meaning for values of their type, each once. */
export function unknownFormats(schema: JsonSchema, found = new Set<string>()): ReadonlySet<string> {
  const { type = '', format = '', properties = {}, allOf = [], anyOf = [], oneOf = [], not, items, additionalProperties } = schema
  const name = format.replaceAll('-', '')
  const isKnown = type === '' || type === 'string' ? Object.hasOwn(formats, name) : ofNumbers[type]?.includes(format)
  if (format !== '' && !isKnown) found.add(format)
  for (const inner of [items, ...allOf, ...anyOf, ...oneOf, not, ...Object.values(properties), additionalProperties])
    if (typeof inner === 'object') unknownFormats(inner, found)
  return found
}
