// The formats of names, keys and values. Each function returns the messages of Kubernetes, and an empty list for a valid
// value. No regular expression backtracks: each takes time linear in the length of its input.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.IsDNS1123Label, IsDNS1123Subdomain, IsDNS1035Label, IsValidPortName, IsEnvVarName
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.IsRelaxedEnvVarName, IsHTTPHeaderName
// Kubernetes: k8s.io/apimachinery/pkg/api/validate/content.IsDNS1123SubdomainCaseless, IsLabelKey, IsLabelValue, IsCIdentifier, IsPathSegmentName

const none: string[] = []

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`
const underscoreLabelFormat = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const underscoreSubdomainFormat = `${underscoreLabelFormat}(\\.${underscoreLabelFormat})*`
const wildcardFormat = `\\*\\.${subdomainFormat}`
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?'
const labelKeyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValueFormat = `(${labelKeyFormat})?`
const configMapKeyFormat = '[-._a-zA-Z0-9]+'
const headerNameFormat = '[-A-Za-z0-9]+'
const percentFormat = '[0-9]+%'
const httpPathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

const whole = (format: string) => new RegExp(`^(?:${format})$`)
const labelPattern = whole(labelFormat)
const subdomainPattern = whole(subdomainFormat)
const caselessSubdomainPattern = new RegExp(subdomainPattern, 'i')
const underscoreSubdomainPattern = whole(underscoreSubdomainFormat)
const wildcardPattern = whole(wildcardFormat)
const dns1035Pattern = whole(dns1035Format)
// The formats of keys and values, written so that the last character is looked at once instead of backtracked to.
const labelKeyPattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*(?<=[A-Za-z0-9]))?$/
const relaxedEnvVarPattern = /^[ -<>-~]*$/
const configMapKeyPattern = whole(configMapKeyFormat)
const headerNamePattern = whole(headerNameFormat)
const percentPattern = whole(percentFormat)
const httpPathPattern = whole(httpPathFormat)

/** Kubernetes' sentence about a pattern that did not match, with its commas where Kubernetes has them. */
export function patternMessage(sentence: string, format: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${sentence} (regex used for validation is '${format}')`
  return `${sentence} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`
}

const tooManyCharacters = (most: number) => `must be no more than ${most} characters`
const tooManyBytes = (most: number) => `must be no more than ${most} bytes`
const rangeMessage = (least: number, most: number) => `must be between ${least} and ${most}, inclusive`
export const notNegativeMessage = 'must be greater than or equal to 0'

/** The length in UTF-8 bytes: Kubernetes limits bytes. */
export function byteLength(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    if (code < 0x800) length += 1
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      length += 2
      index += 1
    } else length += 2
  }
  return length
}

/** Whether `text` is longer than `most` bytes. The characters are read only if the length alone does not decide it. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && byteLength(text) > most)
}

function check(value: string, most: number, pattern: RegExp, message: string): string[] {
  const long = isLongerThan(value, most)
  if (pattern.test(value)) return long ? [tooManyCharacters(most)] : none
  return long ? [tooManyCharacters(most), message] : [message]
}

const labelMessage = patternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelFormat,
  'my-name',
  '123-abc',
)
export function isDns1123Label(value: string): string[] {
  if (labelPattern.test(value)) return value.length > 63 ? [tooManyCharacters(63)] : none
  const message = subdomainPattern.test(value) ? 'must not contain dots' : labelMessage
  return isLongerThan(value, 63) ? [tooManyCharacters(63), message] : [message]
}

const subdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainFormat,
  'example.com',
)
export const isDns1123Subdomain = (value: string): string[] => check(value, 253, subdomainPattern, subdomainMessage)

const caselessSubdomainMessage = patternMessage(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainFormat,
  'Example.com',
)
/** A subdomain that may have upper case letters. */
export const isCaselessSubdomain = (value: string): string[] => check(value, 253, caselessSubdomainPattern, caselessSubdomainMessage)

const underscoreSubdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  underscoreSubdomainFormat,
  'example.com',
)
export const isDns1123SubdomainWithUnderscore = (value: string): string[] =>
  check(value, 253, underscoreSubdomainPattern, underscoreSubdomainMessage)

const wildcardMessage = patternMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  wildcardFormat,
  '*.example.com',
)
export const isWildcardDns1123Subdomain = (value: string): string[] => check(value, 253, wildcardPattern, wildcardMessage)

const dns1035Message = patternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Format,
  'my-name',
  'abc-123',
)
export const isDns1035Label = (value: string): string[] => check(value, 63, dns1035Pattern, dns1035Message)

const qualifiedNameSentence = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKeyFormat,
  'MyName',
  'my.name',
  '123-abc',
)
const qualifiedNameMessage = `a valid label key ${qualifiedNameSentence} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
/** A label key: `name` or `example.com/name`. */
export function isQualifiedName(value: string): string[] {
  const slash = value.indexOf('/')
  if (slash < 0) {
    if (value.length <= 63 && labelKeyPattern.test(value)) return none
    return namePartMessages(value)
  }
  if (value.indexOf('/', slash + 1) >= 0) return [qualifiedNameMessage]
  const prefix = value.slice(0, slash)
  const name = value.slice(slash + 1)
  if (prefix.length <= 253 && name.length <= 63 && subdomainPattern.test(prefix) && labelKeyPattern.test(name)) return none
  const messages: string[] = []
  if (prefix === '') messages.push('prefix part must be non-empty')
  else {
    if (isLongerThan(prefix, 253)) messages.push(`prefix part ${tooManyBytes(253)}`)
    if (!subdomainPattern.test(prefix)) messages.push(`prefix part ${subdomainMessage}`)
  }
  messages.push(...namePartMessages(name))
  return messages
}

function namePartMessages(name: string): string[] {
  const messages: string[] = []
  if (name === '') messages.push('name part must be non-empty')
  else if (isLongerThan(name, 63)) messages.push(`name part ${tooManyBytes(63)}`)
  if (!labelKeyPattern.test(name)) messages.push(`name part ${qualifiedNameSentence}`)
  return messages
}

const labelValueMessage = patternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValueFormat,
  'MyValue',
  'my_value',
  '12345',
)
export function isValidLabelValue(value: string): string[] {
  const good = value === '' || labelKeyPattern.test(value)
  if (good) return value.length > 63 ? [tooManyBytes(63)] : none
  return isLongerThan(value, 63) ? [tooManyBytes(63), labelValueMessage] : [labelValueMessage]
}

/** A segment of a URL path, the least strict rule for names. With `prefix`, the beginning of a generated name. */
export function isPathSegmentName(value: string, prefix = false): string[] {
  if (!prefix && (value === '.' || value === '..')) return [`may not be '${value}'`]
  const messages: string[] = []
  for (const piece of ['/', '%']) if (value.includes(piece)) messages.push(`may not contain '${piece}'`)
  return messages
}

export const isInRange = (value: number, least: number, most: number): string[] =>
  value >= least && value <= most ? none : [rangeMessage(least, most)]
export const isValidPortNumber = (value: number): string[] => isInRange(value, 1, 65535)
export const isValidUserId = (value: number): string[] => isInRange(value, 0, 2147483647)
export const isValidGroupId = isValidUserId

export function isValidPortName(value: string): string[] {
  const messages: string[] = []
  if (isLongerThan(value, 15)) messages.push(tooManyCharacters(15))
  if (!/^[-a-z0-9]+$/.test(value)) messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) messages.push('must contain at least one letter (a-z)')
  if (value.includes('--')) messages.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) messages.push('must not begin or end with a hyphen')
  return messages
}

const percentMessage = patternMessage(
  "a valid percent string must be a numeric string followed by an ending '%'",
  percentFormat,
  '1%',
  '93%',
)
export const isValidPercent = (value: string): string[] => (percentPattern.test(value) ? none : [percentMessage])

const headerNameMessage = patternMessage(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  headerNameFormat,
  'X-Header-Name',
)
export const isHttpHeaderName = (value: string): string[] => (headerNamePattern.test(value) ? none : [headerNameMessage])

function directoryMessages(value: string): string[] {
  if (!value.startsWith('.')) return none
  if (value === '.' || value === '..') return [`must not be '${value}'`]
  return value.startsWith('..') ? ["must not start with '..'"] : none
}

/** The rule for `env[].name`: printable ASCII but for `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty']
  if (relaxedEnvVarPattern.test(value)) return none
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

const configMapKeyMessage = patternMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configMapKeyFormat,
  'key.name',
  'KEY_NAME',
  'key-name',
)
export function isConfigMapKey(value: string): string[] {
  const messages = check(value, 253, configMapKeyPattern, configMapKeyMessage)
  const more = directoryMessages(value)
  return more.length === 0 ? messages : [...messages, ...more]
}

const httpPathMessage = patternMessage('Invalid path', httpPathFormat)
/** For the part of a domain-prefixed path after its first slash. */
export const isHttpPath = (value: string): string[] => (httpPathPattern.test(value) ? none : [httpPathMessage])
