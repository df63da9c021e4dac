// Requests that no correct client sends. The n-th request of a seed is always the same, so that a failure can be replayed.
import { type Random, randomUid, seededRandom } from '../../src/base/random.ts'
import { accepts, flags, segments, unusualHeaders, unusualQuery } from './malformed-heads.ts'
import { below, breakBytes, chance, pick, writeChanged } from './malformed-json.ts'
import { applied, jsonPatch, managed, strangeYaml, strategicPatch } from './malformed-patches.ts'
import { strangeProtobuf } from './malformed-protobuf.ts'
import { namespace, type ValidObject, validObjects } from './valid-objects.ts'

export interface MalformedRequest {
  readonly method: string
  /** The bytes on the wire. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
  /** It is not HTTP: the server may close the connection without a response. */
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
  if (chance(random, 0.15)) draft.query.push(...unusualQuery(random))
  if (chance(random, 0.1)) draft.headers.push(['Accept', pick(random, accepts)])
  if (chance(random, 0.05)) draft.headers.push(pick(random, unusualHeaders))
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

function strangePath(random: Random): Draft {
  const sound = pick(random, validObjects)
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
  // Without its namespace, the requests that follow would be refused at once.
  const endsAll = method === 'DELETE' && new RegExp(`/namespaces/+${namespace}/*$`).test(elsewhere.replaceAll('%2f', '/'))
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
  const sound = pick(random, validObjects)
  const isNew = chance(random, 0.6)
  const name = isNew ? `fuzz-${randomUid(random)}` : sound.name
  const own = isNew ? JSON.stringify(sound.object).replaceAll(`"${sound.app}"`, `"${name}"`) : JSON.stringify(sound.object)
  const object = JSON.parse(own) as ValidObject['object']
  const named = { ...object, metadata: { ...object.metadata, name } }
  const subresource = isNew ? '' : pick(random, ['', '', sound.hasStatus ? '/status' : '', sound.hasScale ? '/scale' : ''])
  const body = breakBytes(random, writeChanged(random, withStatus(random, named, subresource)))
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

function strangePatch(random: Random): Draft {
  const sound = pick(random, validObjects)
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
      writeChanged(random, { ...validObjects[0]!.object, spec: { finalizers: ['kubernetes'] } }),
    )
  if (chance(random, 0.3)) {
    const sound = pick(
      random,
      validObjects.filter(({ hasScale }) => hasScale),
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
    validObjects.filter(({ namespaced }) => namespaced),
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
  const sound = pick(random, validObjects)
  const everywhere = sound.collection.replace(`/namespaces/${namespace}`, '')
  const path = pick(random, [
    sound.collection,
    everywhere,
    `${sound.collection}/${sound.name}`,
    `/api/v1/namespaces/${namespace}/pods/sound/log`,
  ])
  const draft = request('GET', path)
  draft.query.push(...unusualQuery(random))
  if (chance(random, 0.15)) draft.query.push(`watch=${pick(random, flags)}`)
  if (chance(random, 0.3)) draft.headers.push(['Accept', pick(random, accepts)])
  return draft
}

function protobufBody(random: Random): Draft {
  const sound = pick(random, validObjects)
  const bytes = strangeProtobuf(random, sound)
  const isPatch = chance(random, 0.1)
  return request(isPatch ? 'PATCH' : 'POST', isPatch ? `${sound.collection}/${sound.name}` : sound.collection, protobuf, bytes)
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
