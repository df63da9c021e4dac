// Requests as no sound client sends them. The n-th request of a seed is always the same, so that a failure can be replayed.
import { type Random, randomUid, seededRandom } from '../../src/base/random.ts'
import { below, breakBytes, chance, pick, strangeKeys, strangeTexts, strangeValue, writeChanged } from './malformed-json.ts'
import { namespace, type SoundObject, soundObjects } from './sound-objects.ts'

export interface MalformedRequest {
  readonly method: string
  /** As it goes over the wire. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
  /** Not even HTTP: the server may hang up without an answer. */
  readonly isBroken: boolean
}

interface Draft {
  method: string
  path: string
  query: string[]
  headers: [string, string][]
  body: Buffer | undefined
  isBroken: boolean
}

export function malformedRequest(seed: number, index: number): MalformedRequest {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const draft = pick(random, families)(random)
  if (chance(random, 0.15)) draft.query.push(...strangeQuery(random))
  if (chance(random, 0.1)) draft.headers.push(['Accept', pick(random, accepts)])
  if (chance(random, 0.05)) draft.headers.push(pick(random, strangeHeaders))
  const target = draft.query.length === 0 ? draft.path : `${draft.path}?${draft.query.join('&')}`
  return { ...draft, target }
}

const request = (method: string, path: string, contentType?: string, body?: Buffer | string): Draft => ({
  method,
  path,
  query: [],
  headers: contentType === undefined ? [] : [['Content-Type', contentType]],
  body: body === undefined ? undefined : Buffer.from(body as string),
  isBroken: false,
})

const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

const accepts = [
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
  protobuf,
  `${protobuf},application/json;q=0.1`,
  'application/json;q=-1',
  'application/json;pretty=1',
  `${'a/b,'.repeat(500)}c`,
  ';;;;,,,,====',
  'application/\xff',
]

const strangeHeaders: readonly [string, string][] = [
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
const flags = ['', '0', '1', 'true', 'false', 'TRUE', 'x', '%ff', 'null']
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

function strangeQuery(random: Random): string[] {
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

/** What can stand in a request line at all. */
const raw = (text: string) => text.replaceAll(/[^!-~\u0080-\uffff]/g, '%00')

const segments = [
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

function strangePath(random: Random): Draft {
  const sound = pick(random, soundObjects)
  const path = `${sound.collection}/${sound.name}${pick(random, ['', '', '/status', '/scale', '/log', '/nothing', '/exec', '/proxy/x/y'])}`
  const parts = path.split('/')
  const times = 1 + below(random, 2)
  for (let i = 0; i < times; i++) {
    const at = 1 + below(random, parts.length - 1)
    if (chance(random, 0.6)) parts[at] = pick(random, segments)
    else if (chance(random, 0.5)) parts.splice(at, 0, pick(random, segments))
    else parts.splice(at, 1)
  }
  const joined = parts.join('/')
  const long = chance(random, 0.02) ? `/${'x/'.repeat(below(random, 20_000))}` : ''
  const elsewhere = chance(random, 0.1)
    ? pick(random, [
        '/',
        '//',
        '/api',
        '/apis/',
        '/apis/apps',
        '/openapi/v2',
        '/openapi/v3/apis/__proto__',
        '/metrics',
        '/version/',
        '/healthz/x',
        '/readyz/ping',
        '/livez?verbose',
        '/apis/apps/v1/watch',
        '/api/v1/watch/pods',
        '/api/v1/proxy',
        '*',
        'https://x/api',
        'x',
      ])
    : joined + long
  const method = pick(random, ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL'])
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return request(method, elsewhere, json, '{}')
  // Without its namespace nothing of what follows would get far.
  const endsAll = method === 'DELETE' && new RegExp(`/namespaces/+${namespace}/*$`).test(elsewhere)
  return request(endsAll ? 'GET' : method, elsewhere)
}

const brokenLines: readonly ((random: Random) => Partial<Draft>)[] = [
  () => ({ method: 'FOO' }),
  () => ({ method: 'get' }),
  () => ({ method: 'CONNECT' }),
  () => ({ method: 'GET /x HTTP/1.1\r\n\r\nGET' }),
  () => ({ method: '' }),
  () => ({ path: '/a b c' }),
  () => ({ path: '/\u0000' }),
  () => ({ path: '' }),
  () => ({ path: `/${'x'.repeat(70_000)}` }),
  () => ({ headers: [['Bad Name', 'x']] }),
  () => ({ headers: [['X\u0000', 'x']] }),
  () => ({ headers: [['X', 'a\rb']] }),
  () => ({ headers: [['Content-Length', 'x']] }),
  () => ({ headers: [['Content-Length', '-1']] }),
  () => ({ headers: [['Content-Length', '18446744073709551616']] }),
  () => ({ headers: [['Transfer-Encoding', 'x']] }),
  () => ({ headers: [['Transfer-Encoding', 'chunked']], body: Buffer.from('zz\r\n') }),
  () => ({
    headers: [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '3'],
    ],
    body: Buffer.from('0\r\n\r\n'),
  }),
  () => ({ headers: Array.from({ length: 3000 }, (_, i) => [`X-${i}`, 'x'] as [string, string]) }),
  () => ({ headers: [['X', 'x'.repeat(70_000)]] }),
  () => ({
    headers: [
      ['Host', 'a'],
      ['Host', 'b'],
    ],
  }),
]

const brokenHttp = (random: Random): Draft => ({
  ...request(pick(random, ['GET', 'POST']), '/api/v1/namespaces'),
  ...pick(random, brokenLines)(random),
  isBroken: true,
})

const types = [
  json,
  json,
  json,
  json,
  json,
  json,
  yaml,
  'application/json;charset=utf-8',
  '',
  'text/plain',
  'application/xml',
  protobuf,
  ...patchTypes,
]

function strangeObject(random: Random): Draft {
  const sound = pick(random, soundObjects)
  const isNew = chance(random, 0.6)
  const name = isNew ? `fuzz-${randomUid(random)}` : sound.name
  const object = { ...sound.object, metadata: { ...sound.object.metadata, name } }
  const subresource = isNew ? '' : pick(random, ['', '', sound.hasStatus ? '/status' : '', sound.hasScale ? '/scale' : ''])
  const body = breakBytes(random, writeChanged(random, withStatus(random, object, subresource)))
  return request(isNew ? 'POST' : 'PUT', isNew ? sound.collection : `${sound.collection}/${name}${subresource}`, pick(random, types), body)
}

/** Random in its types: a status has too many forms to list them. */
const withStatus = (random: Random, object: object, subresource: string) =>
  subresource !== '/status' && chance(random, 0.8)
    ? object
    : {
        ...object,
        status: {
          phase: 'Running',
          replicas: 1,
          readyReplicas: 1,
          conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm' }],
          containerStatuses: [{ name: 'c', ready: true, restartCount: 0, image: 'i', imageID: '', state: { running: {} } }],
          capacity: { cpu: '1', memory: '1Gi' },
          active: 1,
          startTime: '2026-01-01T00:00:00Z',
          observedGeneration: 1,
        },
      }

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test', 'ADD', '', '__proto__']
const pointers = [
  '',
  '/',
  'x',
  '//',
  '/__proto__/polluted',
  '/__proto__',
  '/constructor/prototype/polluted',
  '/metadata/__proto__/polluted',
  '/metadata/labels/__proto__',
  '/metadata/labels/constructor',
  '/metadata/labels/~',
  '/metadata/labels/~2',
  '/metadata/labels/a~1b',
  '/metadata/annotations',
  '/metadata/resourceVersion',
  '/metadata/uid',
  '/metadata/managedFields',
  '/metadata/managedFields/0/fieldsV1/f:x',
  '/metadata/creationTimestamp',
  '/metadata/finalizers/-',
  '/metadata/name',
  '/spec',
  '/spec/template/spec/containers/0',
  '/spec/containers/-',
  '/spec/containers/-1',
  '/spec/containers/01',
  '/spec/containers/1e0',
  '/spec/containers/99999999999',
  '/spec/containers/0/name',
  '/spec/containers/length',
  '/status',
  '/data/x',
  '/kind',
  '/toString',
]

function jsonPatch(random: Random): string {
  if (chance(random, 0.02)) return JSON.stringify(copyBomb(random))
  const parts: string[] = []
  for (let i = 1 + below(random, 3); i > 0; i--) {
    const fields = [`"op":${JSON.stringify(pick(random, operations))}`, `"path":${JSON.stringify(pick(random, pointers))}`]
    if (chance(random, 0.4)) fields.push(`"from":${chance(random, 0.9) ? JSON.stringify(pick(random, pointers)) : strangeValue(random)}`)
    if (chance(random, 0.7)) fields.push(`"value":${strangeValue(random)}`)
    if (chance(random, 0.1))
      fields[below(random, fields.length)] = `${pick(random, ['"op"', '"path"', '"x"', '"__proto__"'])}:${strangeValue(random)}`
    parts.push(chance(random, 0.97) ? `{${fields.join()}}` : strangeValue(random))
  }
  return chance(random, 0.95) ? `[${parts.join()}]` : parts[0]!
}

/** Doubles the object with every step, or has more steps than is allowed. */
const copyBomb = (random: Random) =>
  chance(random, 0.5)
    ? [
        { op: 'add', path: '/metadata/annotations', value: { a: 'x'.repeat(1000) } },
        ...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/metadata', path: `/metadata/annotations/b${i}` })),
      ]
    : Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 1 }))

const directives = [
  '{"$patch":"delete"}',
  '{"$patch":"replace"}',
  '{"$patch":"x"}',
  '{"$patch":1}',
  '{"$patch":{"__proto__":1}}',
  '{"$retainKeys":["a"]}',
  '{"$retainKeys":1}',
  '{"$retainKeys":["type"],"x":1}',
  '{"$setElementOrder/containers":[{"name":"c"}]}',
  '{"$setElementOrder/containers":1}',
  '{"$setElementOrder/containers":[1]}',
  '{"$setElementOrder/containers":[{"name":"zz"}],"containers":[{"name":"c","image":"x"}]}',
  '{"$deleteFromPrimitiveList/finalizers":["x"]}',
  '{"$deleteFromPrimitiveList/finalizers":1}',
  '{"$deleteFromPrimitiveList/containers":[{}]}',
  '{"containers":[{"$patch":"delete"}]}',
  '{"containers":[{"$patch":"delete","name":"c"}]}',
  '{"containers":[{"$patch":"replace"},{"name":"n","image":"i"}]}',
  '{"containers":[{"$patch":"merge","name":"c"}]}',
  '{"containers":[{"image":"x"}]}',
  '{"containers":[null]}',
  '{"containers":[[]]}',
  '{"containers":["c"]}',
  '{"containers":{"name":"c"}}',
  '{"containers":[{"name":{"a":1}}]}',
  '{"containers":[{"name":"c","ports":[{"containerPort":"x"}]}]}',
  '{"volumes":[{"name":"v","$retainKeys":["name","emptyDir"],"emptyDir":{}}]}',
  '{"__proto__":{"polluted":"yes"}}',
]

function strategicPatch(random: Random): string {
  const directive = pick(random, directives)
  return pick(random, [directive, `{"spec":${directive}}`, `{"metadata":${directive}}`, `{"spec":{"template":{"spec":${directive}}}}`])
}

const managed = (random: Random) =>
  pick(random, [
    '1',
    '[1]',
    '[{}]',
    '[{"manager":"x"}]',
    '[{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":1}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"zz/v9","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:__proto__":{"f:polluted":{}}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"k:{":{},"v:":{},"i:x":{},"z":{}}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV9"}]',
    `[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(200)}{}${'}'.repeat(200)}}]`,
  ])

function applied(random: Random, sound: SoundObject): string {
  if (chance(random, 0.15)) return strangeYaml(random)
  const text = writeChanged(random, sound.object)
  return chance(random, 0.2) ? text.replace('"metadata":{', () => `"metadata":{"managedFields":${managed(random)},`) : text
}

function strangePatch(random: Random): Draft {
  const sound = pick(random, soundObjects)
  const type = pick(random, patchTypes)
  const text = chance(random, 0.1)
    ? writeChanged(random, sound.object)
    : type.includes('json-patch')
      ? jsonPatch(random)
      : type.includes('strategic') && chance(random, 0.7)
        ? strategicPatch(random)
        : type.includes('apply')
          ? applied(random, sound)
          : chance(random, 0.1)
            ? `{"metadata":{"managedFields":${managed(random)}}}`
            : writeChanged(random, sound.object)
  const subresource = pick(random, ['', '', '', sound.hasStatus ? '/status' : '', sound.hasScale ? '/scale' : ''])
  const draft = request('PATCH', `${sound.collection}/${sound.name}${subresource}`, type, breakBytes(random, text))
  if (type.includes('apply') && chance(random, 0.9)) draft.query.push('fieldManager=fuzz')
  if (type.includes('apply') && chance(random, 0.5)) draft.query.push('force=true')
  return draft
}

const yamls: readonly (() => string)[] = [
  () => 'a: &a [*a]',
  () =>
    'a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]',
  () => '['.repeat(5000),
  () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
  () => `${'- '.repeat(3000)}a`,
  () => `${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}`,
  () => '!!js/function "x"',
  () => '!<tag:x> {}',
  () => '%YAML 9.9\n---\na: b',
  () => '? [a]\n: b',
  () => '? {a: b}\n: b',
  () => '1: x\nnull: y\ntrue: z\n',
  () => 'a: 1\na: 2',
  () => '<<: [{a: 1}]\nb: 2',
  () => '\t- a',
  () => 'metadata: {name: .inf, labels: {a: .nan, b: 0o17, c: 2026-01-01, d: 1_000}}',
  () => '--- a\n--- b\n',
  () => '...\n',
  () => '"\\ud800"',
  () => 'metadata: !!binary AAA=',
  () => '__proto__: {polluted: yes}\nmetadata: {__proto__: {polluted: yes}}',
  () => '*a',
  () => '|9\n x',
  () => '\0',
]
const strangeYaml = (random: Random) =>
  chance(random, 0.5)
    ? pick(random, yamls)()
    : `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y-${below(random, 1e6)}}\ndata:\n  a: ${pick(random, [...strangeTexts, '&x [*x]', '!!int x', '|', '>', '@', '`', '- - -', '{a', '0x', '~'])}\n`

const yamlBody = (random: Random): Draft =>
  request('POST', `/api/v1/namespaces/${namespace}/configmaps`, yaml, breakBytes(random, strangeYaml(random)))

const bodies: Readonly<Record<string, object>> = {
  'pods/sound/binding': {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'sound', annotations: { a: 'b' } },
    target: { kind: 'Node', name: 'n' },
  },
  'pods/sound/eviction': {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'sound' },
    deleteOptions: { gracePeriodSeconds: 0, dryRun: ['All'], preconditions: { uid: 'x' } },
  },
  'pods/sound/ephemeralcontainers': {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'sound' },
    spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
  },
  'pods/sound/resize': {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'sound' },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
  },
  bindings: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'sound' }, target: { name: 'n' } },
  'serviceaccounts/sound/token': {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['a'], expirationSeconds: 600 },
  },
}
const reviews: Readonly<Record<string, object>> = {
  'authorization.k8s.io/v1/selfsubjectaccessreviews': { spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace } } },
  'authorization.k8s.io/v1/selfsubjectrulesreviews': { spec: { namespace } },
  'authorization.k8s.io/v1/subjectaccessreviews': { spec: { user: 'x', groups: ['y'], nonResourceAttributes: { path: '/', verb: 'get' } } },
  'authentication.k8s.io/v1/tokenreviews': { spec: { token: 'x', audiences: ['a'] } },
  'authentication.k8s.io/v1/selfsubjectreviews': {},
}

function strangeSubresource(random: Random): Draft {
  if (chance(random, 0.2)) {
    const review = pick(random, Object.keys(reviews))
    return request('POST', `/apis/${review}`, json, breakBytes(random, writeChanged(random, reviews[review])))
  }
  if (chance(random, 0.1))
    return request(
      'PUT',
      '/api/v1/namespaces/fuzz-namespaces/finalize',
      json,
      writeChanged(random, { ...soundObjects[0]!.object, spec: { finalizers: ['kubernetes'] } }),
    )
  if (chance(random, 0.3)) {
    const sound = pick(
      random,
      soundObjects.filter(({ hasScale }) => hasScale),
    )
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: sound.name, namespace }, spec: { replicas: 3 } }
    return request('PUT', `${sound.collection}/${sound.name}/scale`, json, breakBytes(random, writeChanged(random, scale)))
  }
  const path = pick(random, Object.keys(bodies))
  const method = pick(random, ['POST', 'POST', 'POST', 'PUT', 'GET', 'DELETE', 'PATCH'])
  return request(
    method,
    `/api/v1/namespaces/${namespace}/${path}`,
    method === 'PATCH' ? pick(random, patchTypes) : json,
    breakBytes(random, writeChanged(random, bodies[path])),
  )
}

function strangeDelete(random: Random): Draft {
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 1,
    orphanDependents: false,
    preconditions: { uid: 'x', resourceVersion: '1' },
    dryRun: ['All'],
  }
  const sound = pick(
    random,
    soundObjects.filter(({ namespaced }) => namespaced),
  )
  const isAll = chance(random, 0.2)
  const draft = request(
    'DELETE',
    isAll ? sound.collection : `${sound.collection}/${chance(random, 0.5) ? sound.name : 'absent'}`,
    pick(random, [json, json, json, yaml, protobuf, 'x']),
    breakBytes(random, writeChanged(random, options)),
  )
  if (isAll) draft.query.push('labelSelector=no=such')
  return draft
}

function strangeRead(random: Random): Draft {
  const sound = pick(random, soundObjects)
  const everywhere = sound.collection.replace(`/namespaces/${namespace}`, '')
  const path = pick(random, [
    sound.collection,
    everywhere,
    `${sound.collection}/${sound.name}`,
    `/api/v1/namespaces/${namespace}/pods/sound/log`,
  ])
  const draft = request('GET', path)
  draft.query.push(...strangeQuery(random))
  if (chance(random, 0.15)) draft.query.push(`watch=${pick(random, flags)}`)
  if (chance(random, 0.3)) draft.headers.push(['Accept', pick(random, accepts)])
  return draft
}

/** Protobuf as Kubernetes wraps it: a magic number, then a message that names the type and holds the object. */
function protobufBody(random: Random): Draft {
  const sound = pick(random, soundObjects)
  const envelope = Buffer.concat([
    field(1, Buffer.concat([field(1, Buffer.from(sound.apiVersion)), field(2, Buffer.from(sound.kind))])),
    field(2, wire(random, 4)),
  ])
  const bytes = pick(random, [
    () => Buffer.concat([Buffer.from('k8s\0'), envelope]),
    () => Buffer.concat([Buffer.from('k8s\0'), envelope.subarray(0, below(random, envelope.length))]),
    () => Buffer.concat([Buffer.from('k8s\0'), garbage(random)]),
    () => garbage(random),
    () => Buffer.from('k8s\0'),
    () => Buffer.from(JSON.stringify(sound.object)),
  ])()
  const isPatch = chance(random, 0.1)
  return request(isPatch ? 'PATCH' : 'POST', isPatch ? `${sound.collection}/${sound.name}` : sound.collection, protobuf, bytes)
}

const garbage = (random: Random) => Buffer.from(Array.from({ length: below(random, 200) }, () => below(random, 256)))

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

function wire(random: Random, depth: number): Buffer {
  const parts: Buffer[] = []
  for (let i = below(random, 5); i > 0; i--) {
    const number = 1 + below(random, 12)
    const choice = below(random, 9)
    if (choice < 4 && depth > 0) parts.push(field(number, wire(random, depth - 1)))
    else if (choice < 6) parts.push(field(number, Buffer.from(pick(random, strangeTexts))))
    else if (choice === 6)
      parts.push(
        varint(number * 8),
        pick(random, [varint(1), varint(2 ** 52), Buffer.alloc(9, 255), Buffer.from([...Buffer.alloc(9, 255), 1])]),
      )
    else if (choice === 7) parts.push(varint(number * 8 + 2), varint(2 ** 31))
    else parts.push(varint(number * 8 + below(random, 8)), garbage(random))
  }
  return Buffer.concat(parts)
}

/** Some 3 MiB and more are refused; a little less is read. */
const longBody = (random: Random): Draft => {
  if (!chance(random, 0.02)) return strangeObject(random)
  const length = pick(random, [3 * 2 ** 20 + 1, 2 * 2 ** 20, 4 * 2 ** 20])
  return request(
    'POST',
    `/api/v1/namespaces/${namespace}/configmaps`,
    json,
    `{"metadata":{"name":"long"},"data":{"a":"${'x'.repeat(length)}"}}`,
  )
}

const families: readonly ((random: Random) => Draft)[] = [
  strangePath,
  strangePath,
  strangeObject,
  strangeObject,
  strangeObject,
  strangeObject,
  strangePatch,
  strangePatch,
  strangePatch,
  strangePatch,
  strangeSubresource,
  strangeDelete,
  strangeRead,
  strangeRead,
  yamlBody,
  protobufBody,
  longBody,
  brokenHttp,
]
