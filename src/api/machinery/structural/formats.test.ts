import { expect, test } from 'vitest'
import { isOfFormat, unknownFormats } from './formats.ts'

test('finds formats that have no meaning for their type, each once', () => {
  const properties = {
    a: { type: 'string', format: 'foo' },
    b: { type: 'integer', format: 'int-or-string' },
    c: { type: 'string', format: 'uuid' },
    d: { type: 'array', items: { type: 'string', format: 'bar' } },
    e: { type: 'string', format: 'k8s-short-name' },
    f: { type: 'string', format: 'foo' },
    g: { type: 'number', format: 'float' },
    h: { type: 'boolean', format: 'date' },
    i: { type: 'string', format: 'date-time' },
  }
  expect([...unknownFormats({ type: 'object', properties })]).toEqual(['foo', 'int-or-string', 'bar', 'date'])
})

test.each<[format: string, right: readonly string[], wrong: readonly string[]]>([
  ['uri', ['http://a.b/c', '/a b', 'mailto:x@y', '*', '//x/y'], ['a', '', 'http://a b', '/%zz', 'http://a:x/']],
  ['email', ['a@b', 'A B <a@b>', '"a b"@c', 'a@[1.2.3.4]'], ['a', 'a b@c', 'a..b@c', 'a@b.c, d@e', 'A <a>']],
  ['hostname', ['a', 'a.com', '1.com', '\u00e4.de', 'a.bb'], ['a.', 'a_b', 'a.1', '-a', 'a.b', 'x'.repeat(64)]],
  ['ipv4', ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], ['::1', '1.2.3', '256.1.1.1']],
  ['ipv6', ['::1', '::ffff:1.2.3.4'], ['1.2.3.4', '::ffff:01.2.3.4', 'fe80::1%eth0']],
  ['cidr', ['01.2.3.4/8', '::/0', '1.2.3.4/0008'], ['1.2.3.4', '1.2.3.4/33']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab.cdef', '0123456789ab', `${'00-'.repeat(19)}01`], ['01:23:45:67:89-ab', '01:23:45:67:89']],
  ['isbn', ['0321751043', '978-0321751041', '080442957X'], ['978-0321751042', '080442957x', '']],
  ['isbn10', ['0 321 75104 3'], ['0321751044', '978-0321751041']],
  ['isbn13', ['9780321751041'], ['0321751043', '9780321751040']],
  ['creditcard', ['4111 1111 1111 1111', '378282246310005'], ['4111-1111-1111-1112', '1', '']],
  ['ssn', ['111-11-1111'], ['111111111']],
  ['rgbcolor', ['rgb( 255 , 0 , 99 )'], ['rgb(256,0,0)', 'RGB(1,2,3)', 'rgb(1,2)']],
  ['byte', ['YQ=='], ['', 'YQ']],
  ['date', ['2020-02-29'], ['2021-02-29', '2021-04-31', '2021-2-1']],
  [
    'date-time',
    ['2021-01-01t00:00:00z', '2021-01-01T00:00:00.123+01:00'],
    ['2021-01-01T23:59:60Z', '2021-01-01 00:00:00Z', '2021-01-01T00:00:00', '2021-02-30T00:00:00Z'],
  ],
  ['duration', ['1.5h', '-1s', '0', 'P1D', '2 weeks', 'abc 1s def', '5 hr'], ['5', '', '1 y', 's', '5 hrs']],
])('reads the format %s as Kubernetes does', (format, right, wrong) => {
  expect(right.filter((text) => !isOfFormat(format, text))).toEqual([])
  expect(wrong.filter((text) => isOfFormat(format, text))).toEqual([])
})
