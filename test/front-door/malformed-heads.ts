// Parts of request lines and headers that no correct client sends.
import type { Random } from '../../src/base/random.ts'
import { below, chance, pick, strangeKeys } from './malformed-json.ts'

export const accepts = [
  '',
  '*',
  '/',
  '*/*;q=x',
  'text/html',
  'application/json;as=Table',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v9;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=__proto__;v=v1;g=meta.k8s.io',
  'application/json;stream=watch',
  'application/yaml',
  'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf,application/json;q=0.1',
  'application/json;q=-1',
  'application/json;pretty=1',
  `${'a/b,'.repeat(500)}c`,
  ';;;;,,,,====',
  'application/\xff',
]

export const unusualHeaders: readonly [string, string][] = [
  ['Impersonate-User', ''],
  ['Impersonate-User', 'system:nobody'],
  ['Impersonate-Group', 'system:masters'],
  ['Impersonate-Extra-__proto__', 'x'],
  ['Impersonate-Extra-%ff', 'x'],
  ['Impersonate-Uid', 'x'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', '\xff'],
  ['Content-Type', ''],
  ['Expect', '100-continue'],
  ['Expect', 'something else'],
  ['Upgrade', 'websocket'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '"x"'],
  ['Audit-ID', '\xe9'.repeat(200)],
  ['User-Agent', '/'.repeat(300)],
  ['User-Agent', '\xff\xfe'],
  ['Accept-Encoding', 'gzip;q=0, br, \xff'],
  ['Authorization', 'Basic eDp5'],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer ../../x'],
  ['__proto__', 'x'],
  ['X-Long', 'x'.repeat(20_000)],
  ['Connection', 'close'],
]

const numbers = [
  '',
  '0',
  '-1',
  '1',
  '500',
  '9223372036854775807',
  '9223372036854775808',
  '1e3',
  '0x10',
  'NaN',
  ' 1',
  '1.5',
  '%00',
  'null',
  '٣',
]
export const flags = ['', '0', '1', 'true', 'false', 'TRUE', 'x', '%ff', 'null']
const selectors = [
  '',
  'a',
  '!a',
  'a=b',
  'a==b,c!=d',
  'a in (b,c),d notin (e)',
  'a in',
  'a in ()',
  'a in (b',
  '=',
  '==',
  ',',
  'a=b=c',
  '((((',
  'a>x',
  'a>99999999999999999999',
  '__proto__=x',
  'constructor',
  'metadata.name=sound',
  'metadata.name!=sound,metadata.namespace=x',
  'metadata.name=a\\',
  'metadata.name=a\\,b\\=c',
  'spec.nodeName=',
  'spec.nothing=1',
  'metadata.__proto__=1',
  `${'a=b,'.repeat(1000)}c=d`,
  `a in (${'b,'.repeat(1000)}c)`,
  '\u0000',
  'é=ü',
]
const token = (text: string) => Buffer.from(text).toString('base64url')
const continues = [
  'x',
  '%',
  token('{}'),
  token('null'),
  token('[]'),
  token('{"v":"meta.k8s.io/v1","rv":1,"start":"x"}'),
  token('{"v":"meta.k8s.io/v1","rv":-1,"start":"../../x"}'),
  token('{"v":"meta.k8s.io/v1","rv":99999999,"start":"/x\\u0000"}'),
  token('{"v":"meta.k8s.io/v1","rv":"1","start":{"__proto__":1}}'),
  token('{"v":"meta.k8s.io/v2","rv":1,"start":"x"}'),
  token(`{"v":"meta.k8s.io/v1","start":"${'x'.repeat(3000)}"}`),
  token('['.repeat(3000)),
]

const parameters: Readonly<Record<string, readonly string[]>> = {
  limit: numbers,
  timeoutSeconds: ['0', '1', '-1', 'x', '9223372036854775808'],
  resourceVersion: [...numbers, '99999999', 'abc', '-0', '0001'],
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'exact', '__proto__'],
  continue: continues,
  labelSelector: selectors,
  fieldSelector: selectors,
  allowWatchBookmarks: flags,
  sendInitialEvents: flags,
  pretty: flags,
  dryRun: ['All', '', 'all', 'x', 'All&dryRun=All', '__proto__'],
  fieldManager: ['', 'x', 'a'.repeat(129), 'é', '\u0000', '\n', '__proto__'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'strict', '', 'constructor'],
  force: flags,
  gracePeriodSeconds: numbers,
  orphanDependents: flags,
  propagationPolicy: ['Foreground', 'Background', 'Orphan', 'orphan', '', '__proto__'],
  includeObject: ['None', 'Metadata', 'Object', 'x'],
  timeout: ['1s', '0', '-1s', '1h', 'x', '1', '99999999h', '1ns', '.s', '１s'],
  tailLines: numbers,
  sinceSeconds: numbers,
  sinceTime: ['x', '2026-01-01T00:00:00Z', ''],
  limitBytes: numbers,
  follow: ['0', 'false'],
  container: ['c', 'x', '', '__proto__'],
  stream: ['All', 'Stdout', 'x'],
  verbose: flags,
  exclude: ['ping', 'x', '__proto__'],
  __proto__x: ['x'],
}

export function unusualQuery(random: Random): string[] {
  const query: string[] = []
  for (let i = 1 + below(random, 3); i > 0; i--) {
    if (chance(random, 0.1)) {
      query.push(
        pick(random, ['&&', '=', '%', '%zz', 'a;b', '__proto__[x]=y', 'constructor=x', '%00=%00', `${'x='.repeat(2000)}`, '?', '+']),
      )
      continue
    }
    const name = pick(random, Object.keys(parameters))
    const value = pick(random, parameters[name]!)
    query.push(`${name}=${chance(random, 0.9) ? encode(value) : raw(value)}`)
  }
  return query
}

const encode = (text: string) => (text.includes('&') || /%[0-9a-f]{2}/i.test(text) ? raw(text) : encodeURIComponent(text))

/** Characters that a request line can contain at all. */
const raw = (text: string) => text.replaceAll(/[^!-~\u0080-\uffff]/g, '%00')

export const segments = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2f',
  '%5c',
  '%00',
  '%zz',
  '%',
  '%c3%28',
  '%ff',
  '%ed%a0%80',
  '%f0%9f%98%80',
  'é',
  '\xff',
  '~',
  '*',
  'A',
  'a'.repeat(300),
  'a%20b',
  ';x=y',
  ...strangeKeys.filter((key) => key !== '').map((key) => encodeURIComponent(key)),
]
