// The formats of strings that schemas may ask for. A format that is not here is ignored, as in Kubernetes.
import { parseIp } from '../validation/ip-address.ts'
import type { JsonSchema } from './definition.ts'

const uuid = (third: string, fourth: string) => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i')
const any = '[0-9a-f]{4}'
const isBlock = (text: string) => {
  const slash = text.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  return ip !== undefined && /^[0-9]{1,3}$/.test(text.slice(slash + 1)) && Number(text.slice(slash + 1)) <= ip.bytes.length * 8
}
const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
const isUri = (text: string) => /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(text) && !/[\s]/.test(text)
const goDuration = /^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$|^0$/
const longDuration =
  /^\s*(?:[0-9]+(?:\.[0-9]+)?\s*(?:ns|us|\u00b5s|ms|s|m|h|d|w|nano(?:second)?s?|micro(?:second)?s?|milli(?:second)?s?|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)\s*)+$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const isName = (text: string, most: number) => text.length <= most && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)

const matching = (pattern: RegExp) => (text: string) => pattern.test(text)

/** By their names without dashes. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matching(/^[^\s@<>]+@[^\s@<>]+$/),
  hostname: matching(/^(?=.{1,255}$)[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,62}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,62}[a-zA-Z0-9])?)*\.?$/),
  ipv4: (text) => parseIp(text)?.family === 4 && !parseIp(text)!.hasLeadingZeros,
  ipv6: (text) => parseIp(text)?.family === 6,
  cidr: isBlock,
  mac: matching(/^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$|^(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/),
  uuid: matching(uuid(any, any)),
  uuid3: matching(uuid('3[0-9a-f]{3}', any)),
  uuid4: matching(uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')),
  uuid5: matching(uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  byte: matching(base64),
  password: () => true,
  date: isDate,
  duration: (text) => goDuration.test(text) || longDuration.test(text),
  datetime: (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(text) && isDate(text.slice(0, 10)),
  k8sshortname: (text) => isName(text, 63),
  k8slongname: (text) => text.length <= 253 && text.split('.').every((part) => isName(part, 253)),
}

export function isOfFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '')
  return !Object.hasOwn(formats, name) || formats[name]!(text)
}

/** Formats that Kubernetes knows, and that are not validated here. */
const unchecked = new Set(['isbn', 'isbn10', 'isbn13', 'creditcard', 'rgbcolor'])
const ofNumbers: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] }

/** The formats in a schema that have no meaning for values of their type, each once. */
export function unknownFormats(schema: JsonSchema, found = new Set<string>()): ReadonlySet<string> {
  const { type = '', format = '', properties = {}, allOf = [], anyOf = [], oneOf = [], not, items, additionalProperties } = schema
  const name = format.replaceAll('-', '')
  const isKnown = type === '' || type === 'string' ? Object.hasOwn(formats, name) || unchecked.has(name) : ofNumbers[type]?.includes(format)
  if (format !== '' && !isKnown) found.add(format)
  for (const inner of [items, ...allOf, ...anyOf, ...oneOf, not, ...Object.values(properties), additionalProperties])
    if (typeof inner === 'object') unknownFormats(inner, found)
  return found
}
