// For the tests of this folder: a server on a free port over a Rest of a few lines, and clients of both protocols.
import { connect } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { generate } from 'selfsigned'
import { kinds } from '../../../api/kinds.ts'
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import { alreadyExistsError, notFoundError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../../api/types.ts'
import { realClock } from '../../../base/clock.ts'
import { createAuthenticator } from '../../auth/authenticator.ts'
import { createAuthorizer } from '../../auth/authorizer.ts'
import type {
  DeleteQuery,
  Input,
  ListQuery,
  ObjectResponse,
  PatchQuery,
  Rest,
  WatchEvent,
  WatchListener,
  WatchQuery,
  WriteOptions,
} from '../../rest/rest.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server.ts'

interface Call {
  readonly verb: string
  readonly kind: string
  readonly namespace: string
  readonly name?: string
  readonly subresource?: string | undefined
  readonly query?: ListQuery | WatchQuery | DeleteQuery | PatchQuery | WriteOptions | undefined
}

/** Keeps objects in a map, says what it was asked for, and hands events to all watchers. */
class FakeRest implements Rest {
  readonly objects = new Map<string, ObjectResponse>()
  readonly calls: Call[] = []
  readonly listeners = new Set<WatchListener>()
  #revision = 1

  put(kind: Kind, object: Record<string, unknown>): ObjectResponse {
    const { metadata, ...rest } = object as KubernetesObject & Record<string, unknown>
    const text = JSON.stringify({ metadata: { ...metadata, resourceVersion: String(++this.#revision) }, ...rest })
    const answer = answerOf(kind, text)
    this.objects.set(`${kind.plural}/${metadata?.namespace ?? ''}/${metadata?.name}`, answer)
    return answer
  }

  emit(events: readonly WatchEvent[]): void {
    for (const listener of [...this.listeners]) listener.onEvents(events)
  }

  admitConnect(): undefined {
    return undefined
  }

  clearCaches(): void {}

  get(kind: Kind, namespace: string, name: string, subresource?: string): ObjectResponse {
    this.calls.push({ verb: 'get', kind: kind.kind, namespace, name, subresource })
    const found = this.objects.get(`${kind.plural}/${namespace}/${name}`)
    if (found === undefined) throw notFoundError(kind, name)
    return found
  }

  list(kind: Kind, namespace: string, query: ListQuery) {
    this.calls.push({ verb: 'list', kind: kind.kind, namespace, query })
    const items = [...this.objects.values()].filter((one) => one.kind === kind)
    return { kind, items, resourceVersion: String(this.#revision) }
  }

  watch(kind: Kind, namespace: string, query: WatchQuery, listener: WatchListener) {
    this.calls.push({ verb: 'watch', kind: kind.kind, namespace, query })
    const items = [...this.objects.values()].filter((one) => one.kind === kind)
    if (query.sendInitialEvents) listener.onEvents(items.map((object) => ({ type: 'ADDED', object })))
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async create(kind: Kind, namespace: string, input: Input, options: WriteOptions) {
    const object = JSON.parse('text' in input ? input.text : '{}')
    this.calls.push({ verb: 'create', kind: kind.kind, namespace, name: object.metadata.name, query: options })
    if (this.objects.has(`${kind.plural}/${namespace}/${object.metadata.name}`)) throw alreadyExistsError(kind, object.metadata.name)
    for (const field of Object.keys(object).filter((one) => one.startsWith('spce'))) options.warn?.(`unknown field "${field}"`)
    const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object
    return { response: this.put(kind, { metadata: { ...metadata, ...(kind.namespaced && { namespace }) }, ...rest }), created: true }
  }

  async update(kind: Kind, namespace: string, name: string, subresource: string | undefined, _input: unknown, options: WriteOptions) {
    this.calls.push({ verb: 'update', kind: kind.kind, namespace, name, subresource, query: options })
    return { response: this.get(kind, namespace, name), created: false }
  }

  async patch(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: string | undefined,
    format: string,
    _input: unknown,
    options: PatchQuery,
  ) {
    this.calls.push({ verb: `patch ${format}`, kind: kind.kind, namespace, name, subresource, query: options })
    return { response: this.get(kind, namespace, name), created: false }
  }

  async delete(kind: Kind, namespace: string, name: string, query: DeleteQuery) {
    this.calls.push({ verb: 'delete', kind: kind.kind, namespace, name, query })
    this.get(kind, namespace, name)
    this.objects.delete(`${kind.plural}/${namespace}/${name}`)
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name, kind: kind.plural } } as const
  }

  async deleteCollection(kind: Kind, namespace: string, list: ListQuery, query: DeleteQuery) {
    this.calls.push({ verb: 'deletecollection', kind: kind.kind, namespace, query: { ...list, ...query } })
    return this.list(kind, namespace, list)
  }

  async createSubresource(kind: Kind, namespace: string, name: string, subresource: string) {
    this.calls.push({ verb: 'create', kind: kind.kind, namespace, name, subresource })
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const
  }
}

export function answerOf(kind: Kind, text: string): ObjectResponse {
  let object: KubernetesObject | undefined
  return {
    kind,
    json: text,
    get object() {
      object ??= { kind: kind.kind, apiVersion: apiVersionOf(kind), ...JSON.parse(text) } as KubernetesObject
      return object
    },
  }
}

export const token = 'the-token'

/** Resolves when it is so. What never becomes so ends with the test's own time. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise<void>((resolve) => void realClock.after(1, resolve))
}

/** Authenticated users may read discovery and ask who they are, and everybody may read health and version. */
const paths = (name: string, group: string, nonResourceURLs: readonly string[]) => ({
  binding: { metadata: { name }, roleRef: { apiGroup: '', kind: 'ClusterRole', name }, subjects: [{ kind: 'Group', name: group }] },
  role: {
    rules: [
      { verbs: ['get'], nonResourceURLs },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
  },
})
const grants = [
  paths('discovery', 'system:authenticated', [
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/openapi/*',
    '/healthz',
    '/livez',
    '/readyz',
    '/version',
  ]),
  paths('public', 'system:unauthenticated', ['/healthz', '/livez', '/readyz', '/version']),
]
const authorizer = createAuthorizer(
  {
    clusterRoleBindings: () => grants.map(({ binding }) => binding),
    roleBindings: () => [],
    clusterRole: (wanted) => grants.find(({ binding }) => binding.metadata.name === wanted)?.role,
    role: () => undefined,
  },
  () => {},
)

let authority: ReturnType<typeof makeAuthority> | undefined

async function makeAuthority() {
  const options = { algorithm: 'sha256', keyType: 'ec', curve: 'P-256' } as const
  const ca = await generate([{ name: 'commonName', value: 'test-ca' }], {
    ...options,
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  const signed = (attributes: { name: string; value: string }[]) =>
    generate(attributes, { ...options, ca: { key: ca.private, cert: ca.cert } })
  const server = await signed([{ name: 'commonName', value: 'localhost' }])
  const client = await signed([
    { name: 'commonName', value: 'alice' },
    { name: 'organizationName', value: 'system:masters' },
  ])
  const stranger = await generate([{ name: 'commonName', value: 'mallory' }], options)
  return { ca, server, client, stranger }
}

export interface TestServer extends RunningServer {
  readonly rest: FakeRest
  readonly lines: string[]
  readonly certificates: Awaited<ReturnType<typeof makeAuthority>>
}

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  authority ??= makeAuthority()
  const certificates = await authority
  const rest = new FakeRest()
  const lines: string[] = []
  const { authenticate } = createAuthenticator([
    { token, caller: { name: 'admin', groups: ['system:masters'] } },
    { token: 'weak', caller: { name: 'bob', groups: [] } },
  ])
  const tls = { key: certificates.server.private, cert: certificates.server.cert, ca: certificates.ca.cert }
  const server = await startServer({
    rest,
    kinds,
    tls,
    authenticate,
    authorizer,
    version: '1.2.3',
    log: (line) => lines.push(line),
    ...options,
  })
  return { ...server, rest, lines, certificates }
}

interface TestRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string | string[] | undefined>
  readonly body?: string
}

interface TestResponse {
  readonly code: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  readonly json: any
}

type Ask = (server: RunningServer, asked: TestRequest, tls?: { readonly key?: string; readonly cert?: string }) => Promise<TestResponse>

const allHeaders = (asked: TestRequest) => {
  const headers: Record<string, string | string[]> = { authorization: `Bearer ${token}` }
  for (const [name, value] of Object.entries(asked.headers ?? {})) {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  return headers
}

const responseOf = (code: number, headers: TestResponse['headers'], pieces: Buffer[]): TestResponse => {
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  return {
    code,
    headers,
    bytes,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}

export const ask1: Ask = (server, asked, tls = {}) =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false, ...tls })
    const { method = 'GET', path, body } = asked
    const request = httpsRequest(`${server.url}`, { method, path, agent, headers: allHeaders(asked) }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => resolve(responseOf(response.statusCode ?? 0, response.headers, pieces)))
      response.on('error', reject)
    })
    request.on('error', reject)
    // Node frames the body of a DELETE in no way at all.
    if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body))
    request.end(body)
  })

export const ask2: Ask = (server, asked, tls = {}) =>
  new Promise((resolve, reject) => {
    const session = connect(server.url, { rejectUnauthorized: false, ...tls })
    session.on('error', reject)
    const { method = 'GET', path, body } = asked
    const stream = session.request({ ':method': method, ':path': path, ...allHeaders(asked) }, { endStream: body === undefined })
    const pieces: Buffer[] = []
    let code = 0
    let headers: TestResponse['headers'] = {}
    stream.on('response', (got) => {
      code = got[':status'] ?? 0
      headers = got as TestResponse['headers']
    })
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => {
      session.close()
      resolve(responseOf(code, headers, pieces))
    })
    stream.on('error', reject)
    if (body !== undefined) stream.end(body)
  })
