import { describe, expect, it } from 'vitest'
import { coreEvents, deployments, events, jobs, persistentVolumeClaims, priorityClasses, storageClasses } from '../../api/kinds.ts'
import type { KubernetesObject, Pod } from '../../api/types.ts'
import { configMap, configMapKind, input, namespaceKind, openBench, options, pod, podKind, refusal } from './testing/rest-bench.ts'

describe('create', () => {
  it('fills in metadata and returns the stored object', async () => {
    const { rest, create } = await openBench()
    const made = await create(configMapKind, configMap('a', {}, { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' }))
    expect(made).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } })
    expect(made.metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      resourceVersion: '3',
      creationTimestamp: '2026-11-01T12:00:00Z',
    })
    expect(made.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(made.metadata?.selfLink).toBeUndefined()
    expect(made.metadata?.generation).toBeUndefined()
    expect(rest.get(configMapKind, 'default', 'a').object).toBe(made)
    expect(JSON.parse(rest.get(configMapKind, 'default', 'a').json)).toEqual({ ...made, kind: undefined, apiVersion: undefined })
  })

  it('names the default service account for pods that mount a token, and for no others', async () => {
    const { create } = await openBench()
    const volumes = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }]
    expect(await create(podKind, pod('a', { volumes }))).toMatchObject({
      spec: { serviceAccountName: 'default', serviceAccount: 'default' },
    })
    expect(((await create(podKind, pod('b'))) as Pod).spec?.serviceAccountName).toBeUndefined()
  })

  it('reads bodies of JSON and YAML', async () => {
    const { rest } = await openBench()
    const json = await rest.create(
      configMapKind,
      'default',
      { text: '{"metadata":{"name":"j"},"data":{"a":"1"}}', format: 'json' },
      options,
    )
    const yaml = await rest.create(
      configMapKind,
      'default',
      { text: 'metadata:\n  name: yaml\ndata:\n  a: "1"\n', format: 'yaml' },
      options,
    )
    expect([json.response.object.metadata?.name, yaml.response.object.metadata?.name]).toEqual(['j', 'yaml'])
    for (const text of ['a: [', `a: ${'['.repeat(5000)}${']'.repeat(5000)}`, `a: &a [x]\nb: [${'*a,'.repeat(200)}]`])
      expect(await refusal(rest.create(configMapKind, 'default', { text, format: 'yaml' }, options))).toMatchObject({
        code: 400,
        message: expect.stringMatching(/^error converting YAML to JSON: yaml: /),
      })
  })

  it('does not keep what it was given', async () => {
    const { rest, create } = await openBench()
    const given = configMap('a')
    await create(configMapKind, given)
    ;(given.data as Record<string, string>)['a'] = 'changed'
    expect(rest.get(configMapKind, 'default', 'a').object).toMatchObject({ data: { a: '1' } })
  })

  it('holds equal specs of pods once, and each pod with its own metadata', async () => {
    const { create } = await openBench()
    const [a, b] = await Promise.all(
      ['a', 'b'].map(async (name) => (await create(podKind, pod(name))) as KubernetesObject & { spec: object }),
    )
    expect(b!.spec).toBe(a!.spec)
    expect(a!.metadata).toMatchObject({ name: 'a', resourceVersion: '3' })
    expect(b!.metadata).toMatchObject({ name: 'b', resourceVersion: '4' })
  })

  it('makes a name from generateName, cut to the length that is left', async () => {
    const { create } = await openBench()
    const { metadata } = await create(configMapKind, { metadata: { generateName: `${'g'.repeat(70)}-` } })
    expect(metadata?.name).toMatch(/^g{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  it('tries eight generated names, then says so', async () => {
    let draws = 0
    const random = { next: () => 0 * draws++ }
    const { rest, create } = await openBench({ random })
    await create(configMapKind, { metadata: { generateName: 'g-' } })
    const before = draws
    const status = await refusal(rest.create(configMapKind, 'default', input({ metadata: { generateName: 'g-' } }), options))
    expect(status).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { retryAfterSeconds: 1 } })
    expect(status.message).toBe('configmaps "g-bbbbb" already exists, the server was not able to generate a unique name for the object')
    expect(draws - before).toBe(8 * (16 + 5))
  })

  it.each([
    [
      'another namespace',
      configMap('a', {}, { namespace: 'other' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['no name', { metadata: {} }, 422, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
    ['a resourceVersion', configMap('a', {}, { resourceVersion: '5' }), 500, 'resourceVersion should not be set on objects to be created'],
    [
      'the wrong kind',
      { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } },
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
  ])('refuses %s', async (_, object, code, message) => {
    const { rest } = await openBench()
    expect(await refusal(rest.create(configMapKind, 'default', input(object), options))).toMatchObject({ code, message })
    expect(rest.list(configMapKind, '', {}).items).toHaveLength(0)
  })

  it('refuses an existing object, and says when it is terminating', async () => {
    const { rest, create } = await openBench()
    await create(configMapKind, configMap('a', {}, { finalizers: ['x.example/f'] }))
    const again = () => refusal(rest.create(configMapKind, 'default', input(configMap('a')), options))
    expect(await again()).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists' })
    await rest.delete(configMapKind, 'default', 'a', options)
    expect((await again()).message).toBe('object is being deleted: configmaps "a" already exists')
  })

  it('refuses a resourceVersion before it checks for an existing object', async () => {
    const { rest, create } = await openBench()
    await create(configMapKind, configMap('a'))
    const again = await refusal(rest.create(configMapKind, 'default', input(configMap('a', {}, { resourceVersion: '5' })), options))
    expect(again).toMatchObject({ code: 500, message: 'resourceVersion should not be set on objects to be created' })
  })

  it('succeeds for one of many concurrent creates of the same name', async () => {
    const { rest } = await openBench()
    const tries = Array.from({ length: 20 }, () => rest.create(configMapKind, 'default', input(configMap('a')), options))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('keeps nothing of a dry run, and shows no resourceVersion', async () => {
    const { rest, store } = await openBench()
    const { revision } = store
    const { response: answer } = await rest.create(configMapKind, 'default', input(configMap('a')), { ...options, dryRun: true })
    expect(answer.object.metadata?.uid).toBeDefined()
    expect(answer.object.metadata).not.toHaveProperty('resourceVersion')
    expect(answer.json).not.toContain('resourceVersion')
    expect(store.revision).toBe(revision)
  })

  it('warns of unknown fields, or refuses them, or ignores them', async () => {
    const { rest } = await openBench()
    const warnings: string[] = []
    const send = (name: string, fieldValidation: 'Ignore' | 'Warn' | 'Strict') =>
      rest.create(configMapKind, 'default', input({ ...configMap(name), spce: 1 }), {
        ...options,
        fieldValidation,
        warn: (one) => warnings.push(one),
      })
    await send('ignored', 'Ignore')
    expect(warnings).toEqual([])
    await send('warned', 'Warn')
    expect(warnings).toEqual(['unknown field "spce"'])
    expect(await refusal(send('strict', 'Strict'))).toMatchObject({
      code: 400,
      message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spce"',
    })
  })

  it('survives keys that are names of prototypes', async () => {
    const { rest } = await openBench()
    const text =
      '{"metadata":{"name":"p","annotations":{"constructor":"x"}},"data":{"__proto__":"1","constructor":"2"},"__proto__":{"polluted":1}}'
    const { response: answer } = await rest.create(configMapKind, 'default', { text, format: 'json' }, options)
    expect(answer.json).toContain('"__proto__":"1"')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('counts generations from 1 where the kind has them', async () => {
    const { create } = await openBench()
    const { metadata } = await create(podKind, pod('p', {}, { generation: 7 }))
    expect(metadata?.generation).toBe(1)
  })

  it('names an owner once', async () => {
    const { rest } = await openBench()
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u' }
    const warnings: string[] = []
    const object = configMap('a', {}, { ownerReferences: [owner, owner] })
    const { response: answer } = await rest.create(configMapKind, 'default', input(object), {
      ...options,
      warn: (one) => warnings.push(one),
    })
    expect(answer.object.metadata?.ownerReferences).toEqual([owner])
    expect(warnings[0]).toMatch(/duplicate UID\(s\) observed: u$/)
  })
})

describe('admission of creates', () => {
  it('requires the namespace to exist', async () => {
    const { rest, create } = await openBench()
    expect(await refusal(rest.create(configMapKind, 'nowhere', input(configMap('a')), options))).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    })
    await create(namespaceKind, { metadata: { name: 'going' } })
    await rest.delete(namespaceKind, '', 'going', options)
    expect(await refusal(rest.create(configMapKind, 'going', input(configMap('a')), options))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'configmaps "a" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: {
        name: 'a',
        kind: 'configmaps',
        causes: [{ reason: 'NamespaceTerminating', message: 'namespace going is being terminated', field: 'metadata.namespace' }],
      },
    })
  })

  it('gives pods a priority and the usual tolerations', async () => {
    const { rest, create } = await openBench()
    await create(priorityClasses, { metadata: { name: 'high' }, value: 1000 })
    const { spec } = (await create(podKind, pod('p', { priorityClassName: 'high' }))) as Pod
    expect(spec).toMatchObject({ priority: 1000, preemptionPolicy: 'PreemptLowerPriority' })
    expect(spec?.tolerations?.map(({ key }) => key)).toEqual(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'])
    expect(await refusal(rest.create(podKind, 'default', input(pod('q', { priorityClassName: 'none' })), options))).toMatchObject({
      code: 403,
      message: 'pods "q" is forbidden: no PriorityClass with name none was found',
    })
  })

  it('gives claims the newest default class, and a finalizer', async () => {
    const { clock, create } = await openBench()
    const storageClass = (name: string) => ({
      metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'x.example/p',
    })
    await create(storageClasses, storageClass('old'))
    clock.pass(1000)
    await create(storageClasses, storageClass('new'))
    const claim = { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
    const made = await create(persistentVolumeClaims, claim)
    expect(made).toMatchObject({ spec: { storageClassName: 'new' }, metadata: { finalizers: ['kubernetes.io/pvc-protection'] } })
  })
})

describe('the two kinds of Event', () => {
  it('show one object', async () => {
    const { rest, create } = await openBench()
    const shown = { name: 'p', namespace: 'default', kind: 'Pod' }
    await create(coreEvents, {
      metadata: { name: 'e' },
      involvedObject: shown,
      message: 'hello',
      reason: 'Test',
      type: 'Normal',
      count: 3,
    })
    const { object, json: text } = rest.get(events, 'default', 'e')
    expect(object).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'Event', regarding: shown, note: 'hello', deprecatedCount: 3 })
    expect(object).not.toHaveProperty('message')
    expect(JSON.parse(text)).toMatchObject({ note: 'hello', metadata: { resourceVersion: object.metadata?.resourceVersion } })
    expect(rest.list(events, 'default', { fieldSelector: 'regarding.name=p' }).items).toHaveLength(1)
    expect(rest.list(coreEvents, 'default', { fieldSelector: 'involvedObject.name=q' }).items).toHaveLength(0)
    const eventTime = '2026-11-01T12:00:00.000000Z'
    const note = { regarding: shown, note: 'there', reason: 'Test', type: 'Normal', action: 'Testing', reportingController: 'x.example/c' }
    await create(events, { metadata: { name: 'f' }, eventTime, reportingInstance: 'c-1', ...note })
    expect(rest.get(coreEvents, 'default', 'f').object).toMatchObject({
      apiVersion: 'v1',
      involvedObject: shown,
      message: 'there',
      reportingComponent: 'x.example/c',
    })
  })
})

describe('a Job without labels', () => {
  it('has those of its pods, also those that the server adds to them', async () => {
    const { create } = await openBench()
    const template = { metadata: { labels: { app: 'x' } }, spec: { ...pod('').spec, restartPolicy: 'Never' } }
    const { metadata } = await create(jobs, { metadata: { name: 'j' }, spec: { template } })
    expect(metadata?.labels).toEqual({
      app: 'x',
      'batch.kubernetes.io/controller-uid': metadata?.uid,
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': metadata?.uid,
      'job-name': 'j',
    })
  })
})

describe('every kind that is stored', () => {
  it('keeps Deployments under their group', async () => {
    const { create, store } = await openBench()
    const spec = { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: pod('').spec } }
    await create(deployments, { metadata: { name: 'd' }, spec })
    expect(store.get('deployments.apps/default/d')).toBeDefined()
  })
})

describe("metadata that is the server's", () => {
  const createMap = async (metadata: object, dryRun = false) => {
    const { rest } = await openBench()
    const { response: answer } = await rest.create(configMapKind, 'default', input(configMap('a', {}, metadata)), { ...options, dryRun })
    return answer.object.metadata
  }

  it('is dropped before a manager owns it', async () => {
    const metadata = await createMap({ deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5, selfLink: '/a' })
    expect(metadata?.deletionTimestamp).toBeUndefined()
    expect(JSON.stringify(metadata?.managedFields)).not.toContain('f:deletion')
  })

  it('is dropped from what an apply makes', async () => {
    const { rest } = await openBench()
    const object = { apiVersion: 'v1', kind: 'ConfigMap', ...configMap('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) }
    const { response: answer, created } = await rest.patch(configMapKind, 'default', 'a', undefined, 'apply', { object }, options)
    expect(created).toBe(true)
    expect(answer.object.metadata?.deletionTimestamp).toBeUndefined()
  })

  it('stays where the kind has no use for it', async () => {
    expect((await createMap({ generation: 5 }))?.generation).toBe(5)
    expect((await createMap({ resourceVersion: '12' }, true))?.resourceVersion).toBe('12')
    expect((await refusal(createMap({ generation: -5 }))).message).toBe(
      'ConfigMap "a" is invalid: metadata.generation: Invalid value: -5: must be greater than or equal to 0',
    )
  })
})
