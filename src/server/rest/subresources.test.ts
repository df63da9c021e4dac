import { describe, expect, it } from 'vitest'
import {
  bindings,
  certificateSigningRequests,
  coreEvents,
  deployments,
  events,
  localSubjectAccessReviews,
  podDisruptionBudgets,
  selfSubjectAccessReviews,
  selfSubjectReviews,
  tokenReviews,
} from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { signingRequests } from '../../api/testing/signing-requests.ts'
import type { CertificateSigningRequest, Pod, PodDisruptionBudget } from '../../api/types.ts'
import { type Bench, input, namespaceKind, openBench, options, pod, podKind, refusal } from './testing/rest-bench.ts'

const deploymentKind = deployments
const budgetKind = podDisruptionBudgets

describe('scale', () => {
  async function openScale() {
    const bench = await openBench()
    const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
    await bench.create(deploymentKind, {
      metadata: { name: 'a' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'x' } }, template },
    })
    return bench
  }
  const scale = (replicas: number, metadata: object = {}) =>
    input({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', ...metadata }, spec: { replicas } })

  it('shows the replicas of an object', async () => {
    const { rest } = await openScale()
    const { kind, object, json: text } = rest.get(deploymentKind, 'default', 'a', 'scale')
    expect(kind.kind).toBe('Scale')
    expect(object).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: {}, status: { replicas: 0, selector: 'app=x' } })
    expect(Object.keys(object.metadata ?? {})).toEqual(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'])
    expect(text).toMatch(/^{"metadata":{/)
  })

  it('is written by PUT and by patches', async () => {
    const { rest } = await openScale()
    const put = await rest.update(deploymentKind, 'default', 'a', 'scale', scale(3), options)
    expect(put.response.object).toMatchObject({ spec: { replicas: 3 } })
    expect(rest.get(deploymentKind, 'default', 'a').object).toMatchObject({ spec: { replicas: 3 }, metadata: { generation: 2 } })
    const patched = await rest.patch(deploymentKind, 'default', 'a', 'scale', 'merge', input({ spec: { replicas: 2 } }), options)
    expect(patched.response.object).toMatchObject({ spec: { replicas: 2 } })
    const managers = rest.get(deploymentKind, 'default', 'a').object.metadata?.managedFields
    expect(managers?.find(({ subresource }) => subresource === 'scale')?.fieldsV1).toEqual({ 'f:spec': { 'f:replicas': {} } })
  })

  it('is applied by an owner of its own, and taken only by force', async () => {
    const { rest } = await openScale()
    const applied = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 4 } }
    const apply = (force: boolean) =>
      rest.patch(deploymentKind, 'default', 'a', 'scale', 'apply', input(applied), { ...options, manager: 'scaler', force })
    expect(await refusal(apply(false))).toMatchObject({ code: 409, reason: 'Conflict' })
    expect((await apply(true)).response.object).toMatchObject({ spec: { replicas: 4 } })
    const owners = rest.get(deploymentKind, 'default', 'a').object.metadata?.managedFields ?? []
    const ownsReplicas = owners.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:replicas"'))
    expect(ownsReplicas).toMatchObject([{ manager: 'scaler', operation: 'Apply', subresource: 'scale', apiVersion: 'apps/v1' }])
    expect(owners).toHaveLength(2)
  })

  it('refuses a negative number and an old version', async () => {
    const { rest } = await openScale()
    expect(await refusal(rest.update(deploymentKind, 'default', 'a', 'scale', scale(-1), options))).toMatchObject({
      code: 422,
      message: 'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      details: { name: 'a', group: 'autoscaling', kind: 'Scale' },
    })
    expect(await refusal(rest.update(deploymentKind, 'default', 'a', 'scale', scale(1, { resourceVersion: '1' }), options))).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on deployments.apps "a": the object has been modified; please apply your changes to the latest version and try again',
    })
  })

  it('is not there for kinds without replicas', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('p'))
    expect(await refusal(() => rest.get(podKind, 'default', 'p', 'scale'))).toMatchObject({ code: 404 })
  })
})

describe('binding', () => {
  const binding = (metadata: object = {}) =>
    input({ metadata: { name: 'p', ...metadata }, target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' } })
  const bind = ({ rest }: Bench, metadata: object = {}) =>
    rest.createSubresource(podKind, 'default', 'p', 'binding', binding(metadata), options)

  it('gives the pod its node, a condition, and annotations', async () => {
    const bench = await openBench()
    await bench.create(podKind, pod('p'))
    expect(await bind(bench, { annotations: { a: 'b' } })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      code: 201,
    })
    const { object } = bench.rest.get(podKind, 'default', 'p')
    expect(object).toMatchObject({
      metadata: { annotations: { a: 'b' }, generation: 1 },
      spec: { nodeName: 'node-1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-01T12:00:00Z', lastProbeTime: null }] },
    })
    expect(await refusal(bind(bench))).toMatchObject({
      code: 409,
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "node-1"',
      details: { name: 'p', kind: 'pods/binding' },
    })
  })

  it('is also made by a POST to bindings', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('p'))
    const { response: answer } = await rest.create(bindings, 'default', binding(), options)
    expect(answer.object).toMatchObject({ kind: 'Status', status: 'Success' })
    expect((rest.get(podKind, 'default', 'p').object as Pod).spec?.nodeName).toBe('node-1')
  })

  it('refuses pods that wait for their gates, that go, or that are others', async () => {
    const bench = await openBench()
    await bench.create(podKind, pod('p', { schedulingGates: [{ name: 'x.example/g' }] }, { finalizers: ['x.example/f'] }))
    expect((await refusal(bind(bench))).message).toMatch(/pod p has non-empty .spec.schedulingGates$/)
    expect((await refusal(bind(bench, { uid: 'other' }))).message).toMatch(/Precondition failed: UID in precondition: other/)
    await bench.rest.delete(podKind, 'default', 'p', options)
    expect((await refusal(bind(bench))).message).toMatch(/pod p is being deleted, cannot be assigned to a host$/)
    expect(await refusal(bind(bench, { name: 'q' }))).toMatchObject({ message: 'name in URL does not match name in Binding object' })
  })
})

describe('eviction', () => {
  const eviction = (deleteOptions?: object) => input({ metadata: { name: 'p' }, ...(deleteOptions && { deleteOptions }) })
  const evict = ({ rest }: Bench, deleteOptions?: object) =>
    rest.createSubresource(podKind, 'default', 'p', 'eviction', eviction(deleteOptions), options)

  async function openRunning(budgets: readonly object[], ready = true) {
    const bench = await openBench()
    const { rest, create } = bench
    await create(podKind, pod('p', { nodeName: 'n' }))
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] }
    await rest.patch(podKind, 'default', 'p', 'status', 'merge', input({ status }), options)
    for (const [index, budget] of budgets.entries()) {
      const name = `b${index}`
      const { spec = {}, status = {} } = budget as { spec?: object; status?: object }
      await create(budgetKind, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec } })
      const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, ...status }
      await rest.patch(budgetKind, 'default', name, 'status', 'merge', input({ status: counted }), options)
    }
    const budget = () => rest.get(budgetKind, 'default', 'b0').object as PodDisruptionBudget
    const terminating = () => (rest.get(podKind, 'default', 'p').object as Pod).metadata?.deletionTimestamp !== undefined
    return { ...bench, budget, terminating }
  }

  it('deletes a pod that no budget covers, and says why on it', async () => {
    const bench = await openRunning([])
    expect(await evict(bench)).toMatchObject({ status: 'Success', code: 201 })
    const { status } = bench.rest.get(podKind, 'default', 'p').object as Pod
    expect(status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    })
    expect(bench.terminating()).toBe(true)
  })

  it.each([
    [{ dryRun: ['X'] }, false, 422, 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["X"]: supported values: "All"'],
    [
      { dryRun: ['X'], propagationPolicy: 'Y' },
      false,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Unsupported value: "Y": supported values: "Foreground", "Background", "Orphan", "nil", dryRun: Unsupported value: ["X"]: supported values: "All"]',
    ],
    [{ dryRun: ['X'] }, true, 500, 'Non-matching dry-run options in request and content: [All] and [X]'],
    [
      { ignoreStoreReadErrorWithClusterBreakingPotential: true },
      false,
      422,
      'Eviction.policy "p" is invalid: deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: can not be set for pod eviction, try after removing the option',
    ],
  ])('refuses wrong options: %j', async (deleteOptions, dryRun, code, message) => {
    const bench = await openRunning([])
    const request = bench.rest.createSubresource(podKind, 'default', 'p', 'eviction', eviction(deleteOptions), { ...options, dryRun })
    expect(await refusal(request)).toMatchObject({ code, message })
    expect(bench.terminating()).toBe(false)
  })

  it('takes a disruption out of the budget', async () => {
    const bench = await openRunning([{ status: { disruptionsAllowed: 1, currentHealthy: 2 } }])
    await evict(bench)
    expect(bench.budget().status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: '2026-11-01T12:00:00Z' },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    })
    const owner = bench.budget().metadata?.managedFields?.find(({ manager }) => manager === 'kube-apiserver')
    expect(owner).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { 'f:disruptedPods': { 'f:p': {} } } } })
    expect(bench.terminating()).toBe(true)
  })

  it('respects an empty budget', async () => {
    const bench = await openRunning([{}])
    expect(await refusal(evict(bench))).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b0 needs 1 healthy pods and has 1 currently' }] },
    })
    expect(bench.terminating()).toBe(false)
  })

  it('waits for a budget that was not counted yet', async () => {
    expect(await refusal(evict(await openRunning([{ status: { observedGeneration: 0, disruptionsAllowed: 5 } }])))).toMatchObject({
      code: 429,
      details: {
        retryAfterSeconds: 10,
        causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b0 is still being processed by the server.' }],
      },
    })
  })

  it('refuses a pod with two budgets', async () => {
    expect(await refusal(evict(await openRunning([{}, {}])))).toMatchObject({
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    })
  })

  it.each([
    ['the budget is met without it', { status: { currentHealthy: 1, desiredHealthy: 1 } }],
    [
      'the budget always allows it',
      { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' }, status: { currentHealthy: 0, desiredHealthy: 3 } },
    ],
  ])('lets an unhealthy pod go when %s', async (_, budget) => {
    const bench = await openRunning([budget], false)
    await evict(bench)
    expect(bench.terminating()).toBe(true)
    expect(bench.budget().status?.disruptionsAllowed ?? 0).toBe(0)
  })

  it('keeps an unhealthy pod when the budget is not met', async () => {
    expect(await refusal(evict(await openRunning([{ status: { currentHealthy: 0, desiredHealthy: 1 } }], false)))).toMatchObject({
      code: 429,
    })
  })

  it('evicts pods that do not run, regardless of the budget', async () => {
    const bench = await openRunning([{}])
    await bench.rest.patch(podKind, 'default', 'p', 'status', 'merge', input({ status: { phase: 'Failed' } }), options)
    await evict(bench)
    expect(await refusal(() => bench.rest.get(podKind, 'default', 'p'))).toMatchObject({ code: 404 })
  })

  it('passes its options on to the deletion', async () => {
    const bench = await openRunning([{ status: { disruptionsAllowed: 2, currentHealthy: 3 } }])
    const { revision } = bench.store
    await evict(bench, { dryRun: ['All'] })
    expect(bench.store.revision).toBe(revision)
    expect(await refusal(evict(bench, { preconditions: { uid: 'other' } }))).toMatchObject({ code: 409 })
    await evict(bench, { gracePeriodSeconds: 7 })
    expect((bench.rest.get(podKind, 'default', 'p').object as Pod).metadata?.deletionGracePeriodSeconds).toBe(7)
  })

  it('evicts nothing from a namespace that is being emptied', async () => {
    const { rest, create } = await openBench()
    await create(namespaceKind, { metadata: { name: 'going' } })
    await create(podKind, pod('p', { nodeName: 'n' }), 'going')
    await rest.delete(namespaceKind, '', 'going', options)
    expect(await refusal(rest.createSubresource(podKind, 'going', 'p', 'eviction', eviction(), options))).toMatchObject({ code: 403 })
  })

  it('refuses what is not there', async () => {
    const { rest } = await openBench()
    expect(
      await refusal(rest.createSubresource(podKind, 'default', 'none', 'eviction', input({ metadata: { name: 'none' } }), options)),
    ).toMatchObject({
      code: 404,
      message: 'pods "none" not found',
    })
  })
})

describe('certificate requests', () => {
  const kind = certificateSigningRequests
  const request = btoa(signingRequests.alice)
  const spec = { request, signerName: 'example.com/s', usages: ['client auth'] }

  async function openRequest() {
    const bench = await openBench()
    await bench.create(kind, { metadata: { name: 'a', labels: { l: '1' } }, spec })
    const put = async (endpoint: string | undefined, body: object) =>
      (await bench.rest.update(kind, '', 'a', endpoint, input({ metadata: { name: 'a' }, spec, ...body }), options)).response
        .object as CertificateSigningRequest
    return { ...bench, put }
  }
  const conditions = (...types: string[]) => ({ status: { conditions: types.map((type) => ({ type, status: 'True' })) } })

  it('are approved by conditions, which get their times', async () => {
    const { put } = await openRequest()
    const { metadata, status } = await put('approval', conditions('Approved'))
    const time = '2026-11-01T12:00:00Z'
    expect(status?.conditions).toEqual([{ type: 'Approved', status: 'True', lastUpdateTime: time, lastTransitionTime: time }])
    const owner = metadata?.managedFields?.find(({ subresource }) => subresource === 'approval')
    expect(owner?.fieldsV1).toEqual({ 'f:status': { 'f:conditions': expect.anything() } })
  })

  it('keep their spec, which has no manager', async () => {
    const { put, rest } = await openRequest()
    const owned = rest.get(kind, '', 'a').object.metadata?.managedFields?.map(({ fieldsV1 }) => Object.keys(fieldsV1 ?? {}))
    expect(owned).toEqual([['f:metadata']])
    const changed = await put(undefined, { spec: { ...spec, signerName: 'example.com/other' } })
    expect(changed.spec).toMatchObject({ signerName: 'example.com/s', username: 'tester' })
  })

  it.each([
    ['a decision through the status', 'status', conditions('Approved'), 'updates may not add a condition of type "Approved"'],
    ['both decisions', 'approval', conditions('Approved', 'Denied'), 'Approved and Denied conditions are mutually exclusive'],
    ['a failure that is removed', 'approval', conditions(), 'updates may not remove a condition of type "Failed"'],
    [
      'a certificate that is none',
      'status',
      { status: { ...conditions('Failed').status, certificate: 'YQ==' } },
      'must contain at least one CERTIFICATE PEM block',
    ],
  ])('refuse %s', async (_, endpoint, body, message) => {
    const { put } = await openRequest()
    await put('status', conditions('Failed'))
    expect((await refusal(put(endpoint, body))).message).toContain(message)
  })

  it('name the field that cannot be selected', async () => {
    const { rest } = await openRequest()
    expect(() => rest.list(kind, '', { fieldSelector: 'spec.username=x' })).toThrow('field label not supported: spec.username')
  })
})

describe('events', () => {
  it('are read without a cache, and show no empty reporter in their other form', async () => {
    const { rest, create } = await openBench()
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' }
    for (const name of ['a', 'b']) await create(coreEvents, { metadata: { name }, involvedObject })
    expect(rest.get(coreEvents, 'default', 'a').object).toMatchObject({ reportingComponent: '' })
    expect(rest.get(events, 'default', 'a').object).not.toHaveProperty('reportingController')
    await rest.patch(events, 'default', 'a', undefined, 'merge', input({ metadata: { labels: { l: '1' } } }), options)
    expect(rest.get(coreEvents, 'default', 'a').object).toMatchObject({ reportingComponent: '', reportingInstance: '' })
    expect(rest.list(coreEvents, 'default', { limit: 1, resourceVersion: '0' }).items).toHaveLength(1)
    const wrong = () => rest.get(coreEvents, 'default', 'a', undefined, { resourceVersion: 'x' })
    expect(wrong).toThrow(expect.objectContaining({ code: 400, message: expect.stringContaining('invalid resource version: ') }))
  })
})

describe('parts of a pod', () => {
  it('adds ephemeral containers, and changes nothing else', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('p'))
    const patch = { metadata: { labels: { z: '1' } }, spec: { ephemeralContainers: [{ name: 'e', image: 'busybox' }], hostname: 'x' } }
    const { response: answer } = await rest.patch(podKind, 'default', 'p', 'ephemeralcontainers', 'strategic', input(patch), options)
    expect(answer.object).toMatchObject({
      spec: { ephemeralContainers: [{ name: 'e' }] },
      metadata: { labels: { app: 'x' }, generation: 2 },
    })
    expect(answer.object).not.toHaveProperty('spec.hostname')
    expect(answer.object).not.toHaveProperty('metadata.labels.z')
  })

  it('resizes containers', async () => {
    const { rest, create } = await openBench()
    const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu: '2' } })
    const containers = (cpu: string) => [{ name: 'c', image: 'nginx:1.25', resources: resources(cpu) }]
    await create(podKind, pod('p', { containers: containers('1') }))
    const { response: answer } = await rest.patch(
      podKind,
      'default',
      'p',
      'resize',
      'strategic',
      input({ spec: { containers: [{ name: 'c', image: 'other', resources: resources('500m') }] } }),
      options,
    )
    expect(answer.object).toMatchObject({ spec: { containers: [{ image: 'nginx:1.25', resources: { requests: { cpu: '500m' } } }] } })
  })
})

describe('reviews', () => {
  it('report the caller and its permissions', async () => {
    const { rest, store } = await openBench({
      reviewToken: (token) => (token === 'good' ? { caller: { name: 'bob', groups: ['g'] }, audiences: [] } : { error: 'invalid' }),
    })
    const { revision } = store
    const ask = async (kind: Kind, object: object) => (await rest.create(kind, '', input(object), options)).response.object
    expect(await ask(selfSubjectReviews, {})).toMatchObject({ status: { userInfo: { username: 'tester', groups: ['system:masters'] } } })
    expect(await ask(selfSubjectAccessReviews, { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } })).toMatchObject({
      status: { allowed: true },
    })
    expect(await ask(tokenReviews, { spec: { token: 'good' } })).toMatchObject({
      status: { authenticated: true, user: { username: 'bob' } },
    })
    expect(await ask(tokenReviews, { spec: { token: 'bad' } })).not.toHaveProperty('status.authenticated')
    const { code, details } = await refusal(ask(selfSubjectAccessReviews, { spec: {} }))
    expect([code, Object.keys(details ?? {})]).toEqual([422, ['group', 'causes']])
    expect(store.revision).toBe(revision)
  })

  const review = async (kind: Kind, object: object, namespace = '') => {
    const { rest } = await openBench()
    return (await rest.create(kind, namespace, input(object), options)).response
  }
  const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'pods' }

  it('records who set which fields', async () => {
    const { object, json } = await review(localSubjectAccessReviews, { spec: { user: 'bob', resourceAttributes } }, 'default')
    const entry = { manager: options.manager, operation: 'Update', apiVersion: 'authorization.k8s.io/v1', fieldsType: 'FieldsV1' }
    const fieldsV1 = {
      'f:spec': { 'f:resourceAttributes': { '.': {}, 'f:namespace': {}, 'f:resource': {}, 'f:verb': {} }, 'f:user': {} },
    }
    expect(object.metadata).toEqual({ namespace: 'default', managedFields: [{ ...entry, time: expect.any(String), fieldsV1 }] })
    expect(JSON.parse(json).metadata).toEqual(object.metadata)
    expect((await review(tokenReviews, { metadata: { name: 'x' }, spec: { token: 'a' } })).object.metadata).toMatchObject({
      name: 'x',
      managedFields: [{ fieldsV1: { 'f:spec': { 'f:token': {} } } }],
    })
  })

  const nonResourceAttributes = { path: '/x', verb: 'get' }
  it.each<[what: string, kind: Kind, object: object, messages: string[]]>([
    [
      'a name',
      selfSubjectAccessReviews,
      { metadata: { name: 'x' }, spec: { resourceAttributes } },
      [expect.stringMatching(/^Invalid value: {"name":"x","managedFields":\[.*\]}: must be empty$/)],
    ],
    [
      'a label',
      localSubjectAccessReviews,
      { metadata: { labels: { a: 'b' } }, spec: { user: 'bob', resourceAttributes } },
      [
        expect.stringMatching(
          /^Invalid value: {"namespace":"default","labels":{"a":"b"},"managedFields":\[.*\]}: must be empty except for namespace$/,
        ),
      ],
    ],
    [
      'all at once',
      localSubjectAccessReviews,
      { spec: { resourceAttributes: { ...resourceAttributes, namespace: 'other' }, nonResourceAttributes } },
      [
        'Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
        'Invalid value: "": at least one of user or group must be specified',
        'Invalid value: "other": must match metadata.namespace',
        'Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
      ],
    ],
  ])('refuses %s', async (_what, kind, object, messages) => {
    const { details } = await refusal(review(kind, object, kind === localSubjectAccessReviews ? 'default' : ''))
    expect(details?.causes?.map(({ message }) => message)).toEqual(messages)
  })

  it('refuses a namespace other than that of the request', async () => {
    const object = { metadata: { namespace: 'other' }, spec: { user: 'bob', resourceAttributes } }
    expect(await refusal(review(localSubjectAccessReviews, object, 'default'))).toMatchObject({ code: 400 })
  })
})
