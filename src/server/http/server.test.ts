// The whole server, through real sockets, in both protocols.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configMaps, daemonSets, nodes, pods } from '../../api/kinds.ts'
import { ask1, ask2, startTestServer, type TestServer, token } from './testing/test-server.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const inA = '/api/v1/namespaces/a'

describe.each([
  ['HTTP/1.1', ask1],
  ['HTTP/2', ask2],
])('the server over %s', (_name, ask) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      findDocument: ({ path, accept }) =>
        path === '/apis' ? { contentType: 'application/json', body: `{"accept":${JSON.stringify(accept)}}` } : undefined,
      readLog: (_pod, { container, tailLines, follow }) => {
        if (!follow) return `${container} ${tailLines}\n`
        return (async function* () {
          yield 'one\n'
          await new Promise((resolve) => setImmediate(resolve))
          yield 'two\n'
        })()
      },
      storedObjects: () => [['pods', 3]],
    })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.rest.objects.clear()
    server.rest.calls.length = 0
  })
  const json = { 'content-type': 'application/json' }
  const put = (name: string, more = {}) =>
    server.rest.put(pods, { metadata: { name, namespace: 'a', labels: { k: 'ü' } }, spec: {}, ...more })
  /** The node of the pods that are assigned to `n`. */
  const putNode = () =>
    server.rest.put(nodes, { metadata: { name: 'n' }, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] } })

  it.each([
    ['', 'child pods are preserved'],
    ['?propagationPolicy=Background', undefined],
    ['?orphanDependents=true', undefined],
  ])('warns about deleting a Job without a propagation policy: %s', async (query, warning) => {
    const { headers } = await ask(server, { method: 'DELETE', path: `/apis/batch/v1/namespaces/a/jobs/x${query}` })
    if (warning === undefined) expect(headers['warning']).toBeUndefined()
    else expect(headers['warning']).toContain(warning)
  })

  it('writes warnings as they are, in UTF-8', async () => {
    const body = '{"metadata":{"name":"x"},"spceé":1}'
    const { headers } = await ask(server, { method: 'POST', path: `${inA}/configmaps`, headers: json, body })
    expect(Buffer.from(String(headers['warning']), 'latin1').toString()).toBe('299 - "unknown field \\"spceé\\""')
  })

  it('counts the templates of a DaemonSet only in the whole object', async () => {
    const count = 'deprecated.daemonset.template.generation'
    server.rest.put(daemonSets, { metadata: { name: 'd', namespace: 'a', annotations: { [count]: '1', other: 'x' } }, spec: {} })
    const path = '/apis/apps/v1/namespaces/a/daemonsets/d'
    expect((await ask(server, { path })).json.metadata.annotations).toEqual({ [count]: '1', other: 'x' })
    const partial = await ask(server, { path, headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } })
    expect(partial.json.metadata.annotations).toEqual({ other: 'x' })
    const { rows } = (await ask(server, { path, headers: { accept: table } })).json
    expect(rows[0].object.metadata.annotations).toEqual({ other: 'x' })
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('takes no %s to run a command', async (method) => {
    expect((await ask(server, { method, path: `${inA}/pods/x/exec` })).code).toBe(405)
  })

  it('warns about the use of a deprecated kind', async () => {
    const { headers } = await ask(server, { path: `${inA}/endpoints` })
    expect(headers['warning']).toBe('299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"')
    expect((await ask(server, { method: 'PUT', path: `${inA}/endpoints` })).headers['warning']).toBeUndefined()
  })

  it('creates, reads, lists and deletes', async () => {
    const created = await ask(server, {
      method: 'POST',
      path: `${inA}/configmaps`,
      headers: json,
      body: '{"metadata":{"name":"x"},"data":{"k":"é"}}',
    })
    expect(created.code).toBe(201)
    expect(created.json).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'x', namespace: 'a', resourceVersion: expect.any(String) },
      data: { k: 'é' },
    })
    expect((await ask(server, { path: `${inA}/configmaps/x` })).text).toBe(created.text)
    const list = await ask(server, { path: `${inA}/configmaps?labelSelector=a%3Db&limit=3` })
    expect(list.json).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', items: [{ metadata: { name: 'x' } }] })
    expect(list.json.items[0].kind).toBeUndefined()
    expect(server.rest.calls.at(-1)?.query).toEqual({ labelSelector: 'a=b', limit: 3 })
    const deleted = await ask(server, { method: 'DELETE', path: `${inA}/configmaps/x`, headers: json, body: '{"gracePeriodSeconds":1}' })
    expect(deleted.json.status).toBe('Success')
    expect(server.rest.calls.at(-2)?.query).toMatchObject({ gracePeriodSeconds: 1, caller: { name: 'admin' } })
    expect((await ask(server, { path: `${inA}/configmaps/x` })).json).toMatchObject({
      code: 404,
      reason: 'NotFound',
      details: { name: 'x', kind: 'configmaps' },
    })
  })

  it('sends what every answer carries', async () => {
    put('x')
    const { headers } = await ask(server, { path: `${inA}/pods/x` })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('hands on the options of writes', async () => {
    put('x')
    await ask(server, {
      method: 'PUT',
      path: `${inA}/pods/x/status?dryRun=All&fieldValidation=Strict`,
      headers: { ...json, 'user-agent': 'tool/1' },
      body: '{}',
    })
    expect(server.rest.calls.find((call) => call.verb === 'update')).toMatchObject({
      subresource: 'status',
      query: { manager: 'tool', dryRun: true, fieldValidation: 'Strict' },
    })
    const patch = { 'content-type': 'application/apply-patch+yaml' }
    await ask(server, { method: 'PATCH', path: `${inA}/pods/x?fieldManager=me&force=true`, headers: patch, body: '{}' })
    expect(server.rest.calls.find((call) => call.verb === 'patch apply')).toMatchObject({ query: { manager: 'me', force: true } })
  })

  it('warns in a header', async () => {
    const answer = await ask(server, {
      method: 'POST',
      path: `${inA}/configmaps`,
      headers: json,
      body: '{"metadata":{"name":"x"},"spce":1}',
    })
    expect(answer.headers['warning']).toBe('299 - "unknown field \\"spce\\""')
  })

  it.each([
    [
      'an unknown resource',
      'GET',
      `${inA}/nothings`,
      {},
      404,
      { message: 'the server could not find the requested resource', details: {} },
    ],
    [
      'a method that a path does not take',
      'PATCH',
      `${inA}/configmaps`,
      {},
      405,
      { message: 'the server does not allow this method on the requested resource', details: {} },
    ],
    ['HEAD of an object', 'HEAD', `${inA}/configmaps/x`, {}, 405, undefined],
    [
      'a limit that is no number',
      'GET',
      `${inA}/configmaps?limit=x`,
      {},
      400,
      { message: 'strconv.ParseInt: parsing "x": invalid syntax' },
    ],
    [
      'an answer in a format that the client does not accept',
      'GET',
      `${inA}/configmaps`,
      { accept: 'text/html+nope' },
      406,
      { reason: 'NotAcceptable', details: {} },
    ],
    ['a body of an unknown type', 'POST', `${inA}/configmaps`, { 'content-type': 'text/plain' }, 415, { reason: 'UnsupportedMediaType' }],
    ['a patch of an unknown type', 'PATCH', `${inA}/configmaps/x`, json, 415, { message: '415: Unsupported Media Type', details: {} }],
    ['a timeout that is none', 'GET', `${inA}/configmaps?timeout=soon`, {}, 400, { reason: 'BadRequest' }],
    ['a YAML watch', 'GET', `${inA}/configmaps?watch=1`, { accept: 'application/yaml' }, 406, undefined],
    [
      'a wrong token',
      'GET',
      `${inA}/configmaps`,
      { authorization: 'Bearer wrong' },
      401,
      { message: 'Unauthorized', reason: 'Unauthorized' },
    ],
    [
      'no token',
      'GET',
      `${inA}/configmaps`,
      { authorization: undefined },
      403,
      {
        message: 'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "a"',
      },
    ],
    ['a wrong token for health', 'GET', '/healthz', { authorization: 'Bearer wrong' }, 401, { message: 'Unauthorized' }],
    ['no token for a check', 'GET', '/livez/ping', { authorization: undefined }, 403, { reason: 'Forbidden' }],
  ])('refuses %s', async (_what, method, path, headers, code, status) => {
    const answer = await ask(server, { method, path, headers, ...(method === 'POST' || method === 'PATCH' ? { body: '{}' } : {}) })
    expect(answer.code).toBe(code)
    if (status !== undefined) expect(answer.json).toMatchObject({ kind: 'Status', status: 'Failure', code, ...status })
  })

  it.each(['/api/v2/pods', '/api/v2', '/apis/apps/v2'])('does not serve %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expect((await ask(server, { method, path })).json).toMatchObject({
        code: 404,
        message: 'the server could not find the requested resource',
      })
  })

  it.each([
    ['%2e%2e', `"..": may not be '..'`],
    ['a%25b', `"a%b": may not contain '%'`],
  ])('refuses a name that is no part of a path: %s', async (name, why) => {
    const answer = await ask(server, { path: `${inA}/configmaps/${name}` })
    expect(answer.json).toMatchObject({ code: 400, message: `Name parameter invalid: ${why}` })
  })

  it.each(['/apis/none/v1/things', '/nothing'])('has no page %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expect(await ask(server, { method, path })).toMatchObject({ code: 404, text: '404 page not found\n' })
  })

  it.each(['/version', '/healthz', '/metrics'])('takes no other method at %s', async (path) => {
    expect((await ask(server, { method: 'POST', path })).code).toBe(405)
  })

  it('responds in YAML, and in indented JSON', async () => {
    put('x')
    const yaml = await ask(server, { path: `${inA}/pods/x`, headers: { accept: 'application/yaml' } })
    expect(yaml.headers['content-type']).toBe('application/yaml')
    expect(yaml.text).toContain('kind: Pod\nmetadata:\n  labels:\n    k: ü\n  name: x\n')
    const refused = await ask(server, { path: `${inA}/pods/none`, headers: { accept: 'application/yaml' } })
    expect(refused.text).toContain('message: pods "none" not found')
    const pretty = await ask(server, { path: `${inA}/pods/x?pretty=true` })
    expect(pretty.text).toBe(JSON.stringify(pretty.json, null, 2))
  })

  it('shows tables', async () => {
    put('x')
    const list = await ask(server, { path: `${inA}/pods`, headers: { accept: table } })
    expect(list.json).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: expect.any(String) } })
    expect(list.json.columnDefinitions[0]).toMatchObject({ name: 'Name', type: 'string', format: 'name', priority: 0 })
    expect(list.json.rows[0].cells[0]).toBe('x')
    expect(list.json.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'x', labels: { k: 'ü' } } })
    expect(list.json.rows[0].object.spec).toBeUndefined()
    const whole = await ask(server, { path: `${inA}/pods/x?includeObject=Object`, headers: { accept: table } })
    expect(whole.json.rows[0].object).toMatchObject({ kind: 'Pod', apiVersion: 'v1', spec: {} })
    const none = await ask(server, { path: `${inA}/pods/x?includeObject=None`, headers: { accept: table } })
    expect(none.json.rows[0].object).toBeNull()
    const wrong = await ask(server, { path: `${inA}/pods?includeObject=Half`, headers: { accept: table } })
    expect(wrong.json.message).toBe(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Half\": must be 'Metadata', 'Object', 'None', or empty",
    )
    const missing = await ask(server, { path: `${inA}/pods/none`, headers: { accept: table } })
    expect(missing.json.kind).toBe('Status')
  })

  it('shows metadata alone', async () => {
    put('x')
    const accept = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` })
    const one = await ask(server, { path: `${inA}/pods/x`, headers: accept('PartialObjectMetadata') })
    expect(one.json).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: expect.objectContaining({ name: 'x' }),
    })
    const list = await ask(server, { path: `${inA}/pods`, headers: accept('PartialObjectMetadataList') })
    expect(list.json).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'x' } }],
    })
    const none = await ask(server, { path: `${inA}/configmaps`, headers: accept('PartialObjectMetadataList') })
    expect(none.json.items).toBeNull()
    const wrong = await ask(server, { path: `${inA}/pods`, headers: accept('PartialObjectMetadata') })
    expect(wrong.json.message).toBe('you requested PartialObjectMetadata, but the requested object is a list (*core.PodList)')
  })

  it('sends a long list completely, and compressed when accepted', async () => {
    for (let i = 0; i < 400; i++) server.rest.put(nodes, { metadata: { name: `n${i}` }, status: { text: 'é'.repeat(2000) } })
    const plain = await ask(server, { path: '/api/v1/nodes' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.json.items).toHaveLength(400)
    const small = await ask(server, { path: '/api/v1/configmaps', headers: { 'accept-encoding': 'gzip' } })
    expect(small.headers['content-encoding']).toBeUndefined()
    const gzip = await ask(server, { path: '/api/v1/nodes', headers: { 'accept-encoding': 'deflate, gzip' } })
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
  })

  it('serves health and version without credentials', async () => {
    const headers = { authorization: undefined }
    expect((await ask(server, { path: '/version', headers })).json).toMatchObject({
      major: '1',
      minor: '37',
      gitVersion: 'v1.37.1+rollcall-1.2.3',
    })
    for (const path of ['/healthz', '/livez', '/readyz']) expect((await ask(server, { path, headers })).text).toBe('ok')
    expect((await ask(server, { path: '/readyz?verbose&exclude=none', headers })).text).toBe(
      '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "none"\nreadyz check passed\n',
    )
    expect((await ask(server, { path: '/livez/ping' })).text).toBe('ok')
    expect((await ask(server, { path: '/livez/none' })).code).toBe(404)
  })

  it('serves documents, paths and metrics', async () => {
    expect((await ask(server, { path: '/apis', headers: { accept: 'x/y' } })).json).toEqual({ accept: 'x/y' })
    expect((await ask(server, { path: '/' })).json.paths).toContain('/apis/apps/v1')
    await ask(server, { path: `${inA}/configmaps` })
    const { text } = await ask(server, { path: '/metrics' })
    expect(text).toMatch(
      /apiserver_request_total\{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"\} \d+/,
    )
    expect(text).toMatch(/apiserver_request_duration_seconds_bucket\{[^}]*resource="configmaps"[^}]*le="\+Inf"\} \d+/)
    expect(text).toContain('apiserver_storage_objects{resource="pods"} 3')
    expect(text).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 1')
    expect(text).toContain('process_resident_memory_bytes')
  })

  it('knows client certificates of its own authority only', async () => {
    const { client, stranger } = server.certificates
    const headers = { authorization: undefined }
    const known = await ask(server, { path: '/api/v1/nodes', headers }, { key: client.private, cert: client.cert })
    expect(known.code).toBe(200)
    await ask(
      server,
      { method: 'POST', path: `${inA}/configmaps`, headers: { ...headers, ...json }, body: '{"metadata":{"name":"x"}}' },
      { key: client.private, cert: client.cert },
    )
    expect(server.rest.calls.at(-1)?.query).toMatchObject({ caller: { name: 'alice', groups: ['system:masters', 'system:authenticated'] } })
    expect((await ask(server, { path: '/api/v1/nodes', headers }, { key: stranger.private, cert: stranger.cert })).code).toBe(401)
    expect((await ask(server, { path: '/api/v1/nodes' }, { key: stranger.private, cert: stranger.cert })).code).toBe(200)
  })

  it('allows members of system:masters to impersonate others', async () => {
    const as = (headers: Record<string, string | string[]>) =>
      ask(server, {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { ...json, ...headers },
        body: '{"metadata":{"name":"x"}}',
      })
    await as({ 'impersonate-user': 'eve', 'impersonate-group': ['g1', 'g2'] })
    expect(server.rest.calls.at(-1)?.query).toMatchObject({ caller: { name: 'eve', groups: ['g1', 'g2', 'system:authenticated'] } })
    await as({ 'impersonate-user': 'system:serviceaccount:a:b' })
    expect(server.rest.calls.at(-1)?.query).toMatchObject({
      caller: { groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'] },
    })
    expect((await as({ authorization: 'Bearer weak', 'impersonate-user': 'eve' })).json).toMatchObject({
      code: 403,
      message:
        'selfsubjectreviews.authentication.k8s.io is forbidden: User "bob" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    })
    expect((await as({ 'impersonate-group': 'g' })).json).toMatchObject({
      code: 400,
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    })
    expect((await as({ 'impersonate-uid': 'u', 'impersonate-extra-b': ['1', '2'], 'impersonate-extra-a': 'x' })).json).toMatchObject({
      message:
        'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"x"}, "b":[]string{"1", "2"}}} without impersonating a user name',
    })
    expect((await ask(server, { path: `${inA}/configmaps`, headers: { 'impersonate-user': 'eve' } })).json).toMatchObject({
      code: 403,
      message: 'configmaps is forbidden: User "eve" cannot list resource "configmaps" in API group "" in the namespace "a"',
    })
    expect(token).toBe('the-token')
  })

  it('reads logs, and says why there is none', async () => {
    putNode()
    server.rest.put(nodes, { metadata: { name: 'bare' } })
    const running = { containerStatuses: [{ name: 'c', state: { running: {} } }] }
    put('one', { spec: { nodeName: 'n', containers: [{ name: 'c' }] }, status: running })
    put('two', { spec: { nodeName: 'n', containers: [{ name: 'c' }, { name: 'd' }] } })
    put('new', {
      spec: { nodeName: 'n', containers: [{ name: 'c' }] },
      status: { containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ContainerCreating' } } }] },
    })
    put('unbound', { spec: { containers: [{ name: 'c' }] } })
    put('lost', { spec: { nodeName: 'missing', containers: [{ name: 'c' }] }, status: running })
    put('stuck', { spec: { nodeName: 'bare', containers: [{ name: 'c' }] } })
    const log = await ask(server, { path: `${inA}/pods/one/log?tailLines=5` })
    expect(log).toMatchObject({ code: 200, text: 'c 5\n' })
    expect(log.headers['content-type']).toBe('text/plain')
    expect((await ask(server, { path: `${inA}/pods/one/log?limitBytes=1` })).text).toBe('c')
    expect(await ask(server, { path: `${inA}/pods/unbound/log` })).toMatchObject({ code: 204, text: '' })
    const why = async (path: string) => (await ask(server, { path })).json.message
    expect(await why(`${inA}/pods/two/log`)).toBe('a container name must be specified for pod two, choose one of: [c d]')
    expect(await why(`${inA}/pods/one/log?container=x`)).toBe('container x is not valid for pod one')
    expect(await why(`${inA}/pods/new/log`)).toBe('container "c" in pod "new" is waiting to start: ContainerCreating')
    expect(await why(`${inA}/pods/none/log`)).toBe('pods "none" not found')
    // The words of Kubernetes: it is the node that was not found.
    expect(await why(`${inA}/pods/lost/log`)).toBe('pods "missing" not found')
    expect(await why(`${inA}/pods/stuck/log`)).toBe('no preferred addresses found; known addresses: []')
    expect(await why(`${inA}/pods/none/log?limitBytes=0`)).toContain('PodLogOptions "none" is invalid: limitBytes: Invalid value: 0')
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    expect((await ask(server, { path: `${inA}/pods/one/log`, headers: table })).code).toBe(406)
    expect((await ask(server, { path: `${inA}/pods/one/resize`, headers: table })).code).toBe(406)
    expect((await ask(server, { path: `${inA}/pods/one/status`, headers: table })).json.kind).toBe('Table')
    expect(await why(`${inA}/pods/one/log?tailLines=-1`)).toContain('PodLogOptions "one" is invalid: tailLines: Invalid value: -1')
  })

  it('follows a log until the client disconnects', async () => {
    putNode()
    put('followed', {
      spec: { nodeName: 'n', containers: [{ name: 'c' }] },
      status: { containerStatuses: [{ name: 'c', state: { running: {} } }] },
    })
    expect((await ask(server, { path: `${inA}/pods/followed/log?follow=true` })).text).toBe('one\ntwo\n')
    expect((await ask(server, { path: `${inA}/pods/followed/log?follow=true&limitBytes=5` })).text).toBe('one\nt')
  })

  it('refuses to attach to simulated pods', async () => {
    putNode()
    put('x', { spec: { nodeName: 'n', containers: [{ name: 'c' }] } })
    put('unbound', { spec: { containers: [{ name: 'c' }] } })
    const why = async (path: string) => (await ask(server, { method: 'POST', path: `${inA}/pods/${path}` })).json
    expect(await why('x/attach')).toMatchObject({ kind: 'Status', code: 400, message: expect.stringContaining('simulated pods') })
    expect(await why('x/attach?container=d')).toMatchObject({ code: 400, message: 'container d is not valid for pod x' })
    expect(await why('unbound/attach')).toMatchObject({ code: 400, message: 'pod unbound does not have a host assigned' })
    expect(await why('unbound/exec')).toMatchObject({ code: 400, message: 'pod unbound does not have a host assigned' })
    const ports = 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'
    expect(await why('none/portforward?ports=x')).toMatchObject({ code: 400, message: ports })
  })

  it('keeps names from the prototype apart', async () => {
    for (const path of ['/__proto__', '/api/v1/__proto__', `${inA}/pods/__proto__`, '/apis/__proto__/v1/x'])
      expect((await ask(server, { path: `${path}?__proto__=1&constructor=2` })).code).toBe(404)
  })

  it('reads paths that are escaped', async () => {
    server.rest.put(configMaps, { metadata: { name: 'a b', namespace: 'a' } })
    expect((await ask(server, { path: `${inA}/configmaps/a%20b` })).code).toBe(200)
    expect((await ask(server, { path: `${inA}/configmaps/%zz` })).code).toBe(400)
    expect((await ask(server, { path: `${inA}/configmaps/%ff` })).code).toBe(404)
  })
})
