import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  configMaps,
  deployments,
  endpoints,
  horizontalPodAutoscalersV1,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  namespaces,
  pods,
  services,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
} from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Scale } from '../../api/types.ts'
import { createAuthority, createCertificate } from '../../cluster/credentials/certificates.ts'
import { configMap, configMapKind, input, openBench, options, pod } from './testing/rest-bench.ts'

interface Review {
  readonly request: {
    readonly uid: string
    readonly operation: string
    readonly dryRun: boolean
    readonly object: KubernetesObject | null
    readonly oldObject: KubernetesObject | null
  }
}

let server: Server
let certificate: string
let serviceCertificate: string
const reviews: { readonly path: string; readonly review: Review }[] = []
const responses: Record<string, (review: Review) => object | string> = {
  '/allow': () => ({ allowed: true, warnings: ['be careful'] }),
  '/deny': () => ({ allowed: false, status: { message: 'not today', code: 418 } }),
  '/mute': () => ({ allowed: false }),
  '/far-code': () => ({ allowed: false, status: { message: 'no', code: 700 } }),
  '/success': () => ({ allowed: false, status: { message: 'no', code: 200, status: 'Success' } }),
  '/code': () => ({ allowed: false, status: { message: 'no', code: 'abc' } }),
  '/retry': () => ({ allowed: false, status: { message: 'no', details: { retryAfterSeconds: '1\r\nx: y' } } }),
  '/status': () => ({ allowed: false, status: 'no' }),
  '/allowed': () => ({ allowed: 'false' }),
  '/warnings': () => ({ allowed: true, warnings: [{}] }),
  '/patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 5 }),
  '/list': () => '[]',
  '/null': () => 'null',
  '/kind': () => '{"kind":5}',
  '/answer': () => '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":"yes"}',
  '/label': ({ request: { object } }) => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: patch([
      { op: 'add', path: '/metadata/labels', value: { ...object?.metadata?.labels, seen: `${object?.metadata?.labels?.['seen'] ?? ''}x` } },
    ]),
  }),
  '/second': ({ request: { object } }) => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: patch([{ op: 'add', path: '/metadata/labels', value: { ...object?.metadata?.labels, second: 'yes' } }]),
  }),
  '/double': ({ request: { object } }) => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: patch([{ op: 'replace', path: '/spec/replicas', value: ((object as Scale).spec?.replicas ?? 0) * 2 }]),
  }),
  '/nonsense': () => 'nonsense',
}
const patch = (operations: readonly object[]) => Buffer.from(JSON.stringify(operations)).toString('base64')

beforeAll(async () => {
  const made = await generate([{ name: 'commonName', value: 'hook' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  } as Parameters<typeof generate>[1])
  certificate = made.cert
  const authority = createAuthority('hooks', Date.now())
  serviceCertificate = createCertificate(
    authority,
    { commonName: 'hook', use: 'server', hosts: ['hook.default.svc'] },
    Date.now(),
  ).certificate
  server = createServer({ key: made.private, cert: made.cert }, (request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const review = JSON.parse(body) as Review & { readonly apiVersion: string }
      const path = request.url!.split('?')[0]!
      reviews.push({ path, review })
      const answer = responses[path]?.(review)
      if (answer === undefined) return
      const { apiVersion, request: asked } = review
      response.end(
        typeof answer === 'string'
          ? answer
          : JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid: asked.uid, ...answer } }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

const rule = { operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
const webhook = (path: string, more: object = {}) => ({
  name: `${path.slice(1)}.example.com`,
  clientConfig: {
    // As envtest writes it, with an empty segment.
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`,
    caBundle: Buffer.from(certificate).toString('base64'),
  },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  timeoutSeconds: 1,
  ...more,
})

async function openHooked() {
  const bench = await openBench()
  const { rest } = bench
  const warnings: string[] = []
  const caller = { ...options, warn: (sentence: string) => warnings.push(sentence) }
  const add = async (kind: Kind, object: object) => (await rest.create(kind, '', input(object), options)).response.object
  await add(namespaces, { metadata: { name: 'team', labels: { hooked: 'yes' } } })
  return {
    rest,
    warnings,
    caller,
    add,
    hook: (kind: Kind, webhooks: readonly object[], name = 'hooks') => add(kind, { metadata: { name }, webhooks }),
    create: async (name: string, more: object = {}, dryRun = false) =>
      (await rest.create(configMaps, 'team', input({ metadata: { name, ...more } }), { ...caller, dryRun })).response.object,
  }
}

const problem = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'accepted',
    (error: { status?: { message?: string; code?: number } }) => `${error.status?.code} ${error.status?.message}`,
  )

describe('webhooks', () => {
  it('change and refuse writes, with their warnings and messages', async () => {
    const { hook, create, warnings, rest, caller } = await openHooked()
    await hook(mutatingWebhookConfigurations, [webhook('/label', { rules: [{ ...rule, operations: ['CREATE'] }] })])
    await hook(validatingWebhookConfigurations, [
      webhook('/allow'),
      webhook('/deny', { rules: [{ ...rule, operations: ['DELETE'] }] }),
      webhook('/mute', { rules: [{ ...rule, operations: ['UPDATE'] }] }),
    ])
    expect(await create('a')).toMatchObject({ metadata: { labels: { seen: 'x' } } })
    expect(warnings).toEqual(['be careful'])
    expect(reviews.at(-1)!.review.request).toMatchObject({
      operation: 'CREATE',
      object: { kind: 'ConfigMap', metadata: { name: 'a' } },
      oldObject: null,
    })
    expect(await problem(rest.delete(configMaps, 'team', 'a', caller))).toBe(
      '418 admission webhook "deny.example.com" denied the request: not today',
    )
    expect(await problem(rest.patch(configMaps, 'team', 'a', undefined, 'merge', { object: { data: { a: 'b' } } }, caller))).toBe(
      '400 admission webhook "mute.example.com" denied the request without explanation',
    )
  })

  it('are called again with the policy IfNeeded, when a later one has changed the object', async () => {
    const { hook, create } = await openHooked()
    await hook(mutatingWebhookConfigurations, [webhook('/label', { reinvocationPolicy: 'IfNeeded' }), webhook('/second')])
    expect(await create('a')).toMatchObject({ metadata: { labels: { seen: 'xx', second: 'yes' } } })
  })

  it('are selected by namespace, object and match conditions', async () => {
    const { hook, create } = await openHooked()
    await hook(validatingWebhookConfigurations, [
      webhook('/deny', { objectSelector: { matchLabels: { checked: 'yes' } }, namespaceSelector: { matchLabels: { hooked: 'yes' } } }),
      webhook('/mute', {
        matchConditions: [{ name: 'b', expression: 'object.metadata.name == "b" && request.userInfo.username == "tester"' }],
      }),
    ])
    expect(await problem(create('a'))).toBe('accepted')
    expect(await problem(create('c', { labels: { checked: 'yes' } }))).toContain('not today')
    expect(await problem(create('b'))).toContain('without explanation')
  })

  it('see another version of the object with the match policy Equivalent', async () => {
    const { hook, rest, caller } = await openHooked()
    const rules = [{ operations: ['CREATE'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] }]
    await hook(mutatingWebhookConfigurations, [webhook('/label', { rules })])
    await hook(validatingWebhookConfigurations, [webhook('/deny', { rules, matchPolicy: 'Exact' })])
    const spec = {
      maxReplicas: 2,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
    }
    const created = await rest.create(horizontalPodAutoscalersV1, 'team', input({ metadata: { name: 'a' }, spec }), caller)
    expect(created.response.object).toMatchObject({ apiVersion: 'autoscaling/v1', metadata: { labels: { seen: 'x' } }, spec })
    expect(reviews.at(-1)!.review.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      requestKind: { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
      requestResource: { group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    })
  })

  it('review a write of the scale as a Scale', async () => {
    const { hook, rest, caller, add } = await openHooked()
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
    const deployment = { metadata: { name: 'a' }, spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template } }
    await rest.create(deployments, 'team', input(deployment), options)
    const rules = [{ operations: ['UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'] }]
    await hook(mutatingWebhookConfigurations, [webhook('/double', { rules })])
    await add(validatingAdmissionPolicies, {
      metadata: { name: 'few' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: 'object.spec.replicas < 10 && object.kind == "Scale"' }],
      },
    })
    await add(validatingAdmissionPolicyBindings, { metadata: { name: 'few' }, spec: { policyName: 'few', validationActions: ['Deny'] } })
    const scale = (replicas: number) => rest.patch(deployments, 'team', 'a', 'scale', 'merge', { object: { spec: { replicas } } }, caller)
    expect((await scale(3)).response.object).toMatchObject({ kind: 'Scale', spec: { replicas: 6 } })
    expect(await problem(scale(5))).toContain('failed expression: object.spec.replicas < 10')
  })

  it.each(['far-code', 'success'])('deny with the code 400 where theirs is no code of an error: %s', async (path) => {
    const { hook, create } = await openHooked()
    await hook(validatingWebhookConfigurations, [webhook(`/${path}`)])
    expect(await problem(create('a'))).toBe(`400 admission webhook "${path}.example.com" denied the request: no`)
  })

  it.each(['code', 'retry', 'status', 'allowed', 'warnings', 'patch', 'list', 'null', 'kind', 'answer'])(
    'could not be called where a field of the response has another type: %s',
    async (path) => {
      const failing = await openHooked()
      await failing.hook(mutatingWebhookConfigurations, [webhook(`/${path}`)])
      expect(await problem(failing.create('a'))).toMatch(
        new RegExp(`^500 Internal error occurred: failed calling webhook "${path}.example.com": failed to call webhook: `),
      )
      const ignoring = await openHooked()
      await ignoring.hook(mutatingWebhookConfigurations, [webhook(`/${path}`, { failurePolicy: 'Ignore' })])
      expect(await problem(ignoring.create('a'))).toBe('accepted')
    },
  )

  it('review connections to pods', async () => {
    const { hook, rest, caller } = await openHooked()
    const connect = () =>
      rest.admitConnect(pods, 'team', 'a', 'attach', { kind: 'PodAttachOptions', apiVersion: 'v1', stdin: true } as object, caller)
    expect(connect()).toBeUndefined()
    const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/attach'] }]
    await hook(validatingWebhookConfigurations, [webhook('/deny', { rules })])
    expect(await problem(connect()!)).toBe('418 admission webhook "deny.example.com" denied the request: not today')
    expect(reviews.at(-1)!.review.request).toMatchObject({
      operation: 'CONNECT',
      kind: { kind: 'PodAttachOptions' },
      subResource: 'attach',
      name: 'a',
      object: { stdin: true },
    })
  })

  it('run in simulated pods whose programs are known', async () => {
    const calls: [string, number][] = []
    const bench = await openBench({
      findPodServer: (pod, port) => ({
        certificate: serviceCertificate,
        post: async (path, body) => {
          calls.push([`${pod.metadata?.name}:${port}${path}`, JSON.parse(body).request.object.data.a])
          const response = { uid: JSON.parse(body).request.uid, allowed: false }
          return { code: 200, body: JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response }) }
        },
      }),
    })
    await bench.create(pods, pod('hook'))
    await bench.create(services, {
      metadata: { name: 'hook' },
      spec: { selector: { app: 'x' }, ports: [{ port: 443, targetPort: 8443 }] },
    })
    const addresses = [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'hook', namespace: 'default' } }]
    await bench.create(endpoints, { metadata: { name: 'hook' }, subsets: [{ addresses, ports: [{ port: 8443 }] }] })
    const hook = (caBundle: string) => ({
      ...webhook('/x', { name: 'x.example.com' }),
      clientConfig: { service: { namespace: 'default', name: 'hook', path: '/check' }, ...(caBundle && { caBundle }) },
    })
    const apply = async (caBundle: string) => {
      const object = { metadata: { name: 'h' }, webhooks: [hook(caBundle)] }
      await bench.rest.create(validatingWebhookConfigurations, '', input(object), options)
      const result = await problem(bench.create(configMapKind, configMap('a')))
      await bench.rest.delete(validatingWebhookConfigurations, '', 'h', options)
      return result
    }
    expect(await apply(Buffer.from(serviceCertificate).toString('base64'))).toContain('denied the request without explanation')
    expect(calls).toEqual([['hook:8443/check?timeout=1s', '1']])
    expect(await apply(Buffer.from(certificate).toString('base64'))).toContain('x509: certificate signed by unknown authority')
  })

  it('fail or are ignored by their failure policy', async () => {
    const { hook, create } = await openHooked()
    const ignored = { failurePolicy: 'Ignore' }
    const closed = { clientConfig: { url: 'https://127.0.0.1:1/x' } }
    await hook(validatingWebhookConfigurations, [
      webhook('/hangs', ignored),
      webhook('/closed', { ...closed, ...ignored }),
      webhook('/nonsense', { ...ignored }),
      webhook('/strict', { ...closed, objectSelector: { matchLabels: { strict: 'yes' } } }),
    ])
    expect(await problem(create('a'))).toBe('accepted')
    expect(await problem(create('b', { labels: { strict: 'yes' } }))).toBe(
      '500 Internal error occurred: failed calling webhook "strict.example.com": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=1s": dial tcp 127.0.0.1:1: connect: connection refused',
    )
  })

  it('name the request that failed where their service does not exist', async () => {
    const { hook, create } = await openHooked()
    const missing = { clientConfig: { service: { namespace: 'default', name: 'none', path: '/check' } } }
    await hook(validatingWebhookConfigurations, [webhook('/missing', missing)])
    expect(await problem(create('a'))).toBe(
      '500 Internal error occurred: failed calling webhook "missing.example.com": failed to call webhook: Post "https://none.default.svc:443/check?timeout=1s": service "none" not found',
    )
  })

  it('are called in a dry run, and know that it is one', async () => {
    const { hook, create } = await openHooked()
    await hook(validatingWebhookConfigurations, [webhook('/allow')])
    expect(await problem(create('a', {}, true))).toBe('accepted')
    expect(reviews.at(-1)!.review.request.dryRun).toBe(true)
  })

  it('are not consulted after their configuration is deleted', async () => {
    const { hook, create, rest, caller } = await openHooked()
    await hook(validatingWebhookConfigurations, [webhook('/deny')])
    expect(await problem(create('a'))).toContain('not today')
    await rest.delete(validatingWebhookConfigurations, '', 'hooks', caller)
    expect(await problem(create('a'))).toBe('accepted')
  })
})

const matchConstraints = { resourceRules: [{ ...rule, operations: ['CREATE'] }] }

describe('admission policies', () => {
  const openPolicies = async (kind: Kind, bindingKind: Kind, spec: object, binding: object = {}) => {
    const bench = await openHooked()
    await bench.add(kind, { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } })
    await bench.add(bindingKind, { metadata: { name: 'b' }, spec: { policyName: 'p', ...binding } })
    return bench
  }
  const validating = (spec: object, binding: object = {}) =>
    openPolicies(validatingAdmissionPolicies, validatingAdmissionPolicyBindings, spec, { validationActions: ['Deny'], ...binding })
  const mutating = (spec: object) =>
    openPolicies(mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings, {
      reinvocationPolicy: 'Never',
      failurePolicy: 'Fail',
      ...spec,
    })

  it.each([
    [
      'a fixed message',
      { expression: 'object.metadata.name != "x"', message: 'no x' },
      "422 configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no x",
    ],
    [
      'no message',
      { expression: 'false' },
      "422 configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false",
    ],
    [
      'a computed message and a reason',
      { expression: 'variables.n == "y"', messageExpression: '"is " + variables.n', reason: 'Forbidden' },
      "403 configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: is x",
    ],
    [
      'an error',
      { expression: 'object.data.missing == "a"' },
      "422 configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'object.data.missing == \"a\"' resulted in error: no such key: data",
    ],
    ['the authorizer', { expression: 'authorizer.group("").resource("pods").namespace("team").check("get").allowed()' }, 'accepted'],
  ])('refuse writes with %s', async (_what, validation, expected) => {
    const { create } = await validating({ variables: [{ name: 'n', expression: 'object.metadata.name' }], validations: [validation] })
    expect(await problem(create('x'))).toBe(expected)
  })

  it('are not stored with an expression that cannot be compiled', async () => {
    const { add } = await openHooked()
    const spec = { matchConstraints, validations: [{ expression: 'objekt.a == 1' }] }
    expect(await problem(add(validatingAdmissionPolicies, { metadata: { name: 'p' }, spec }))).toContain(
      '422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.validations[0].expression: Invalid value: "objekt.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to \'objekt\'',
    )
  })

  it('warn where the binding says so', async () => {
    const { create, warnings } = await validating(
      { validations: [{ expression: 'false', message: 'hm' }] },
      { validationActions: ['Warn', 'Audit'] },
    )
    await create('x')
    expect(warnings).toEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': hm"])
  })

  it('read parameters', async () => {
    const paramRef = { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' }
    const { create, rest, caller } = await validating(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: 'object.metadata.name != params.data.forbidden' }],
      },
      { paramRef },
    )
    expect(await problem(create('x'))).toContain('no params found for policy binding with `Deny` parameterNotFoundAction')
    await rest.create(namespaces, '', input({ metadata: { name: 'default' } }), caller).catch(() => {})
    await rest.update(
      validatingAdmissionPolicyBindings,
      '',
      'b',
      undefined,
      input(await bindingOf(rest, { ...paramRef, namespace: 'team', parameterNotFoundAction: 'Allow' })),
      caller,
    )
    expect(await problem(create('limits'))).toBe('accepted')
    await rest.patch(configMaps, 'team', 'limits', undefined, 'merge', { object: { data: { forbidden: 'x' } } }, caller)
    expect(await problem(create('x'))).toContain('failed expression')
    expect(await problem(create('y'))).toBe('accepted')
  })

  it('change objects by an apply configuration or a JSON patch', async () => {
    const { create } = await mutating({
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": object.metadata.name}}}' },
        },
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("x/y"), value: "z"}]' },
        },
      ],
    })
    expect(await create('x', { labels: { own: 'yes' } })).toMatchObject({ metadata: { labels: { own: 'yes', a: 'x', 'x/y': 'z' } } })
  })

  it('refuse a configuration whose types do not fit its fields', async () => {
    const expression = 'Object{metadata: Object.spec{labels: {"a": "b"}}}'
    const { create } = await mutating({ mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }] })
    expect(await problem(create('x'))).toContain('unexpected type name "Object.spec", expected "Object.metadata"')
  })
})

async function bindingOf(
  rest: { get(kind: Kind, namespace: string, name: string): { readonly object: KubernetesObject } },
  paramRef: object,
) {
  const { object } = rest.get(validatingAdmissionPolicyBindings, '', 'b')
  return { ...object, spec: { ...(object as { spec?: object }).spec, paramRef } }
}
