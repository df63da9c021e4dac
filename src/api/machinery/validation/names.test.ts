import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCanonicalIp, isCidr, isValidIp } from './ip-address.ts'
import * as names from './names.ts'
import { validateDomainPrefixedKey, validateDomainPrefixedPath, validateFullyQualifiedDomainName } from './names-in-fields.ts'

type Rule = (value: string) => string[]
const domainMessages: Rule = (value) => validateFullyQualifiedDomainName(value, '').map(({ detail }) => detail)
const a = (length: number) => 'a'.repeat(length)

const good: readonly [string, Rule, readonly string[]][] = [
  ['isDns1123Label()', names.isDns1123Label, ['a', '0', 'a-1', '1--a', a(63)]],
  ['isDns1123Subdomain()', names.isDns1123Subdomain, ['a', 'a.b', '1.2.3', 'a-1.b--2', a(253)]],
  ['isDns1123SubdomainWithUnderscore()', names.isDns1123SubdomainWithUnderscore, ['_a.b_c', 'a']],
  ['isDns1035Label()', names.isDns1035Label, ['a', 'a-1', a(63)]],
  ['isQualifiedName()', names.isQualifiedName, ['a', 'A_b.c-9', 'example.com/Name', `${a(253)}/${a(63)}`]],
  ['isValidLabelValue()', names.isValidLabelValue, ['', 'a', 'A_b.c', '0', a(63)]],
  ['isPathSegmentName()', names.isPathSegmentName, ['a', 'A:b c', '...']],
  ['isValidPortName()', names.isValidPortName, ['http', 'a-1', '9p']],
  ['isRelaxedEnvVarName()', names.isRelaxedEnvVarName, ['A b', '0', '~!']],
  ['isConfigMapKey()', names.isConfigMapKey, ['a', '.a', 'A_b-c.9']],
  ['isHttpHeaderName()', names.isHttpHeaderName, ['X-Header-1']],
  ['isValidPercent()', names.isValidPercent, ['0%', '100%', '0001%']],
  ['isWildcardDns1123Subdomain()', names.isWildcardDns1123Subdomain, ['*.a.b', '*.a']],
  ['validateFullyQualifiedDomainName()', domainMessages, ['a.b', 'a.b.c.']],
  ['isValidIp()', isValidIp, ['1.2.3.4', '::', '::1', 'fe80::1', '1:2:3:4:5:6:7:8', '1::1.2.3.4', 'FE80:0:0:0:0:0:0:0abc']],
  ['isCanonicalIp()', isCanonicalIp, ['1.2.3.4', 'fe80::abc', '::', '1:0:0:2::', '2001:db8::1:0:0:1']],
  ['isCidr()', isCidr, ['10.0.0.0/8', '1.2.3.4/32', '::/0', '2001:db8::/64', '0.0.0.0/0']],
]
for (const [name, rule, values] of good)
  describe(name, () => {
    for (const value of values) it(`accepts ${JSON.stringify(value.slice(0, 40))}`, () => expect(rule(value)).toEqual([]))
  })

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const bad: readonly [string, Rule, string, readonly string[]][] = [
  ['a label with dots', names.isDns1123Label, 'a.b', ['must not contain dots']],
  ['a label in upper case', names.isDns1123Label, 'A', [label]],
  ['a long label', names.isDns1123Label, a(64), ['must be no more than 63 characters']],
  ['a long label that ends badly', names.isDns1123Label, `${a(64)}-`, ['must be no more than 63 characters', label]],
  [
    'a label that is short in characters and long in bytes',
    names.isDns1123Label,
    'é'.repeat(32),
    ['must be no more than 63 characters', label],
  ],
  ['an empty subdomain', names.isDns1123Subdomain, '', [subdomain]],
  ['a subdomain with two dots', names.isDns1123Subdomain, 'a..b', [subdomain]],
  ['a subdomain with a line break at its end', names.isDns1123Subdomain, 'a\n', [subdomain]],
  ['a long subdomain', names.isDns1123Subdomain, a(254), ['must be no more than 253 characters']],
  ['a key with a blank', names.isQualifiedName, 'a b', [`name part ${key}`]],
  ['an empty key', names.isQualifiedName, '', ['name part must be non-empty', `name part ${key}`]],
  ['a key with an empty prefix', names.isQualifiedName, '/a', ['prefix part must be non-empty']],
  ['a key with a bad prefix', names.isQualifiedName, 'A/a', [`prefix part ${subdomain}`]],
  ['a key with a long name', names.isQualifiedName, a(64), ['name part must be no more than 63 bytes']],
  ['a key with a long prefix', names.isQualifiedName, `${a(254)}/a`, ['prefix part must be no more than 253 bytes']],
  [
    'a key with two slashes',
    names.isQualifiedName,
    'a/b/c',
    [`a valid label key ${key} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ['a bad label value', names.isValidLabelValue, 'no way!', [value]],
  ['a label value that ends in a dash', names.isValidLabelValue, 'a-', [value]],
  ['a long label value', names.isValidLabelValue, a(64), ['must be no more than 63 bytes']],
  ['dots as a path segment', names.isPathSegmentName, '..', ["may not be '..'"]],
  ['a path in a path segment', names.isPathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  ['a port name of digits', names.isValidPortName, '80', ['must contain at least one letter (a-z)']],
  [
    'a port name that is wrong in many ways',
    names.isValidPortName,
    '-A--',
    [
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'must contain at least one letter (a-z)',
      'must not contain consecutive hyphens',
      'must not begin or end with a hyphen',
    ],
  ],
  ['a long port name', names.isValidPortName, a(16), ['must be no more than 15 characters']],
  [
    'an environment variable with =',
    names.isRelaxedEnvVarName,
    'a=b',
    ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
  ],
  ['an empty environment variable', names.isRelaxedEnvVarName, '', ['environment variable name must be non-empty']],
  ['a key that is a directory', names.isConfigMapKey, '..', ["must not be '..'"]],
  ['a key that starts like a directory', names.isConfigMapKey, '..a', ["must not start with '..'"]],
  [
    'a key with a slash',
    names.isConfigMapKey,
    'a/b',
    [
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
  ],
  [
    'a percentage without its sign',
    names.isValidPercent,
    '50',
    [
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ],
  ['a domain of one part', domainMessages, 'a', ['should be a domain with at least two segments separated by dots']],
  ['no IP address', isValidIp, '1.2.3', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ['an IP address with a zone', isValidIp, 'fe80::1%eth0', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ['an IP address with two gaps', isValidIp, '1::2::3', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ['an IP address with three colons', isValidIp, ':::', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ['an IP address with leading zeros', isValidIp, '010.2.3.4', ['must not have leading 0s']],
  ['an IPv4 address in IPv6', isValidIp, '::ffff:1.2.3.4', ['must not be an IPv4-mapped IPv6 address']],
  ['an IP address that is spelt oddly', isCanonicalIp, 'FE80:0:0:0:0:0:0:0abc', ['must be in canonical form ("fe80::abc")']],
  ['a block that is too large', isCidr, '1.2.3.4/33', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
  ['a block with bits beyond its prefix', isCidr, '10.9.8.7/24', ['must not have bits set beyond the prefix length']],
  ['a block with leading zeros', isCidr, '10.9.8.0/024', ['must not have leading 0s in IP or prefix length']],
]
describe('a name that is wrong', () => {
  it.each(bad)('says so of %s', (_, rule, text, messages) => expect(rule(text)).toEqual(messages))
})

describe('validateDomainPrefixedPath()', () => {
  it('shows the part that is wrong', () => {
    expect(validateDomainPrefixedPath('a', 'p')).toMatchObject([{ detail: 'must be a domain-prefixed path (such as "acme.io/foo")' }])
    expect(validateDomainPrefixedPath('A/b', 'p')).toMatchObject([{ value: 'A', detail: subdomain }])
    expect(validateDomainPrefixedPath('a/b c', 'p')).toMatchObject([{ value: 'b c' }])
    expect(validateDomainPrefixedPath('acme.io/foo/bar', 'p')).toEqual([])
  })
})

describe('validateDomainPrefixedKey()', () => {
  it('requires the prefix', () => {
    expect(validateDomainPrefixedKey('a', 'p')).toMatchObject([{ detail: 'must be a domain-prefixed key (such as "acme.io/foo")' }])
    expect(validateDomainPrefixedKey('acme.io/foo', 'p')).toEqual([])
  })
})

describe('all rules', () => {
  // A rule whose time grows faster than its input runs into the time limit of the test.
  it('take any text, also a long one', () => {
    const rules = good.map(([, rule]) => rule)
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => rules.every((rule) => Array.isArray(rule(text)))))
    for (const unit of ['a', 'a-', 'a.', '-', '1:', 'é'])
      for (const rule of rules) {
        rule(unit.repeat(100_000))
        rule(`${unit.repeat(100_000)}!`)
      }
  })
})

describe('byteLength()', () => {
  it('counts as UTF-8 does', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => names.byteLength(text) === new TextEncoder().encode(text).length))
    expect(names.byteLength('\ud800')).toBe(3)
  })
})
