import { describe, expect, it } from 'vitest'
import { deployments } from '../../api/kinds.ts'
import type { PatchFormat, PatchQuery } from './rest.ts'
import { type Bench, configMap, configMapKind, input, openBench, options, pod, podKind, refusal } from './testing/rest-bench.ts'

const send = ({ rest }: Bench, format: PatchFormat, patch: unknown, more: Partial<PatchQuery> = {}) =>
  rest.patch(configMapKind, 'default', 'a', undefined, format, input(patch), { ...options, ...more })

async function openOne() {
  const bench = await openBench()
  await bench.create(configMapKind, configMap('a', { data: { a: '1', b: '2' } }))
  return bench
}

describe('patch', () => {
  it.each<[string, PatchFormat, unknown, object]>([
    ['merge', 'merge', { data: { a: null, c: '3' } }, { b: '2', c: '3' }],
    [
      'JSON',
      'json',
      [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'add', path: '/data/c', value: '3' },
      ],
      { a: '1', b: '2', c: '3' },
    ],
    ['strategic', 'strategic', { data: { a: null } }, { b: '2' }],
  ])('applies a %s patch', async (_, format, patch, data) => {
    const { response: answer, created } = await send(await openOne(), format, patch)
    expect((answer.object as { data?: object }).data).toEqual(data)
    expect(created).toBe(false)
  })

  it('leaves the stored object alone', async () => {
    const bench = await openOne()
    const before = bench.rest.get(configMapKind, 'default', 'a').object
    const text = JSON.stringify(before)
    await send(bench, 'merge', { metadata: { labels: { x: 'y' } }, data: { a: '9' } })
    expect(JSON.stringify(before)).toBe(text)
  })

  it('merges lists by their keys', async () => {
    const { rest, create } = await openBench()
    const kind = deployments
    const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
    await create(kind, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { app: 'x' } }, template } })
    const patch = { spec: { template: { spec: { containers: [{ name: 'two', image: 'b:1' }] } } } }
    const { response: answer } = await rest.patch(kind, 'default', 'd', undefined, 'strategic', input(patch), options)
    const { containers } = (answer.object as unknown as { spec: { template: { spec: { containers: { name: string }[] } } } }).spec.template
      .spec
    expect(containers.map(({ name }) => name).sort()).toEqual(['c', 'two'])
    expect(answer.object.metadata?.generation).toBe(2)
  })

  it.each<[string, PatchFormat, unknown, number, string]>([
    [
      'a test that fails',
      'json',
      [{ op: 'test', path: '/data/a', value: 'x' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    ['a name', 'merge', { metadata: { name: 'b' } }, 400, 'the name of the object (b) does not match the name on the URL (a)'],
    [
      'an old version',
      'merge',
      { metadata: { resourceVersion: '2' } },
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      'a namespace',
      'merge',
      { metadata: { namespace: 'b' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('refuses %s', async (_, format, patch, code, message) => {
    expect(await refusal(send(await openOne(), format, patch))).toMatchObject({ code, message })
  })

  it('refuses to change the uid', async () => {
    const status = await refusal(send(await openOne(), 'merge', { metadata: { uid: 'other' } }))
    expect(status).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(status.message).toContain('metadata.uid: Invalid value: "other": field is immutable')
  })

  it('refuses what is not there before it reads the patch', async () => {
    const { rest } = await openBench()
    const text = { text: '{', format: 'json' } as const
    expect(await refusal(rest.patch(configMapKind, 'default', 'none', undefined, 'merge', text, options))).toMatchObject({ code: 404 })
  })

  it('shows the patch in the message about unknown fields', async () => {
    const bench = await openOne()
    const warnings: string[] = []
    await send(bench, 'merge', { spce: 1 }, { fieldValidation: 'Warn', warn: (one) => warnings.push(one) })
    expect(warnings).toEqual(['unknown field "spce"'])
    const status = await refusal(send(bench, 'merge', { spce: 1 }, { fieldValidation: 'Strict' }))
    expect(status).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: [{ field: 'patch', reason: 'FieldValueInvalid' }] } })
    expect(status.message).toMatch(/^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spce"$/)
  })

  it.each([
    ['a number for the kind', { kind: 1 }, 'map[kind:1]', 'cannot convert int64 to string'],
    ['a list for the kind', { kind: ['x', 1.5] }, 'map[kind:[x 1.5]]', 'unrecognized type: string'],
    ['an object for the version', { apiVersion: {}, spce: 1 }, 'map[apiVersion:map[] spce:1]', 'unrecognized type: string'],
    ['both', { apiVersion: 1, kind: true }, 'map[apiVersion:1 kind:true]', 'unrecognized type: string'],
  ])('refuses a strategic patch with %s', async (_, patch, shown, why) => {
    const message = ` "" is invalid: patch: Invalid value: ${JSON.stringify(shown)}: ${why}`
    expect(await refusal(send(await openOne(), 'strategic', patch))).toMatchObject({ code: 422, message })
  })

  describe('without a version', () => {
    const undeterminable = 'the name of the object (a based on URL) was undeterminable: name must be provided'
    const unknown = ['data', 'metadata'].map((name) => `unknown field "${name}"`)

    it.each<[string, PatchFormat, unknown]>([
      ['merge', 'merge', { apiVersion: null, kind: null }],
      ['merge', 'merge', { apiVersion: '/', data: { a: 1 } }],
      ['JSON', 'json', [{ op: 'remove', path: '/apiVersion' }]],
    ])('finds no name in an object after a %s patch', async (_, format, patch) => {
      const bench = await openOne()
      const warnings: string[] = []
      const warn = (one: string) => void warnings.push(one)
      expect(await refusal(send(bench, format, patch, { fieldValidation: 'Warn', warn }))).toMatchObject({
        code: 400,
        message: undeterminable,
      })
      expect(warnings).toEqual(unknown)
      const { code, message } = await refusal(send(bench, format, patch, { fieldValidation: 'Strict' }))
      expect(code).toBe(422)
      expect(message).toMatch(new RegExp(`: strict decoding error: ${unknown.join(', ')}$`))
    })

    it.each([
      [
        'a kind of the same group',
        { apiVersion: null, kind: 'Secret' },
        'converting (core.Secret) to (core.ConfigMap): unknown conversion',
      ],
      ['a list', { apiVersion: null, kind: 'ConfigMapList' }, 'converting (core.ConfigMapList) to (core.ConfigMap): unknown conversion'],
      [
        'an unknown kind',
        { apiVersion: null, kind: 'Foo' },
        'no kind "Foo" is registered for the internal version of group "" in scheme "pkg/api/legacyscheme/scheme.go:30"',
      ],
      ['another group', { apiVersion: 'foo/' }, expect.stringMatching(/^Object 'apiVersion' is missing in '\{"apiVersion":"foo\/",.*\}'$/)],
    ])('refuses %s', async (_, patch, why) => {
      const { code, details } = await refusal(send(await openOne(), 'merge', patch))
      expect(code).toBe(422)
      expect(details?.causes?.[0]?.message?.replace(/^Invalid value: "(?:[^"\\]|\\.)*": /, '')).toEqual(why)
    })
  })

  it.each<[string, PatchFormat, string, string]>([
    ['merge', 'merge', '{', 'error decoding patch: unexpected end of JSON input'],
    ['strategic', 'strategic', '{', 'unexpected end of JSON input'],
  ])('refuses a %s patch that is not JSON', async (_, format, text, message) => {
    const { rest } = await openOne()
    const status = await refusal(rest.patch(configMapKind, 'default', 'a', undefined, format, { text, format: 'json' }, options))
    expect(status).toMatchObject({ code: 400, message })
  })

  it.each<[string, PatchFormat, (deep: string) => string]>([
    ['merge', 'merge', (deep) => `{"data":${deep}}`],
    ['strategic', 'strategic', (deep) => `{"data":${deep}}`],
    ['JSON', 'json', (deep) => `[{"op":"add","path":"/data","value":${deep}}]`],
    ['apply', 'apply', (deep) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${deep}}`],
  ])('refuses a %s patch that is nested too deep', async (_, format, textOf) => {
    const { rest } = await openOne()
    const text = textOf('{"a":'.repeat(9000) + '1'.padEnd(9001, '}'))
    const status = await refusal(rest.patch(configMapKind, 'default', 'a', undefined, format, { text, format: 'json' }, options))
    expect(status).toMatchObject({ code: 400, message: expect.stringMatching(/exceeded max depth$/) })
  })

  it('loses no change of many writers', async () => {
    const bench = await openOne()
    await Promise.all(Array.from({ length: 12 }, (_, i) => send(bench, 'merge', { data: { [`k${i}`]: 'x' } })))
    const { data } = bench.rest.get(configMapKind, 'default', 'a').object as { data?: object }
    expect(Object.keys(data ?? {})).toHaveLength(14)
  })

  it('writes nothing when nothing changes', async () => {
    const bench = await openOne()
    const { revision } = bench.store
    bench.clock.pass(5000)
    await send(bench, 'merge', { data: { a: '1' } })
    expect(bench.store.revision).toBe(revision)
  })

  it('patches the status of a pod', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('p', { nodeName: 'n' }))
    const patch = {
      status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
      spec: { hostname: 'x' },
    }
    const { response: answer } = await rest.patch(podKind, 'default', 'p', 'status', 'strategic', input(patch), options)
    expect(answer.object).toMatchObject({
      metadata: { generation: 1 },
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], qosClass: 'BestEffort' },
    })
    expect(answer.object).not.toHaveProperty('spec.hostname')
  })
})

describe('apply', () => {
  const configuration = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data })
  const apply = (bench: Bench, data: object, manager: string, force = false) =>
    send(bench, 'apply', configuration(data), { manager, force })

  it('creates, then changes, then changes nothing', async () => {
    const bench = await openBench()
    const first = await apply(bench, { a: '1' }, 'one')
    expect(first.created).toBe(true)
    expect(first.response.object.metadata?.managedFields).toMatchObject([
      { manager: 'one', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } },
    ])
    const second = await apply(bench, { b: '2' }, 'one')
    expect(second.created).toBe(false)
    expect((second.response.object as { data?: object }).data).toEqual({ b: '2' })
    const { revision } = bench.store
    bench.clock.pass(5000)
    await apply(bench, { b: '2' }, 'one')
    expect(bench.store.revision).toBe(revision)
  })

  it('refuses a conflict unless it is forced', async () => {
    const bench = await openBench()
    await apply(bench, { a: '1' }, 'one')
    expect(await refusal(apply(bench, { a: '2' }, 'two'))).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
    })
    expect((await apply(bench, { a: '2' }, 'two', true)).response.object).toMatchObject({ data: { a: '2' } })
  })

  it('takes YAML', async () => {
    const { rest } = await openBench()
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1"}\n'
    const { created } = await rest.patch(configMapKind, 'default', 'a', undefined, 'apply', { text, format: 'yaml' }, options)
    expect(created).toBe(true)
    expect(
      await refusal(rest.patch(configMapKind, 'default', 'a', undefined, 'apply', { text: 'a: [', format: 'yaml' }, options)),
    ).toMatchObject({
      code: 400,
      message: expect.stringMatching(/^error decoding YAML: error converting YAML to JSON: yaml: /),
    })
  })

  it('keeps keys of a map without a value, on creation and later', async () => {
    const bench = await openBench()
    const apply = async () =>
      (await send(bench, 'apply', configuration({ a: null, b: '1' } as never), { manager: 'm', force: true })).response
    for (const _ of ['create', 'again']) expect((await apply()).object).toMatchObject({ data: { a: '', b: '1' } })
  })

  it('creates nothing in a namespace that does not exist', async () => {
    const { rest } = await openBench()
    const request = rest.patch(configMapKind, 'nope', 'a', undefined, 'apply', input(configuration({})), options)
    expect(await refusal(request)).toMatchObject({ code: 404, message: 'namespaces "nope" not found' })
  })
})

describe('duplicate fields', () => {
  const yaml = 'metadata:\n  name: c\ndata:\n  a: "1"\n  a: "2"\nspce: 1\n'
  const text = (body: string, format: 'json' | 'yaml') => ({ text: body, format })

  it('of YAML are warned about line by line, before unknown ones', async () => {
    const { rest } = await openBench()
    const warnings: string[] = []
    const warned = { ...options, warn: (one: string) => void warnings.push(one) }
    await rest.create(configMapKind, 'default', text(yaml, 'yaml'), warned)
    expect(warnings.splice(0)).toEqual(['line 5: key "a" already set in map', 'unknown field "spce"'])
    const json = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1",\n"a":"2"}}'
    await rest.patch(configMapKind, 'default', 'c', undefined, 'apply', text(json, 'yaml'), { ...warned, force: true })
    expect(warnings.splice(0)).toEqual(['line 2: key "a" already set in map'])
    const operations = '[{"op":"add","op":"add","path":"/data/b","value":"1"}]'
    await rest.patch(configMapKind, 'default', 'c', undefined, 'json', text(operations, 'json'), warned)
    expect(warnings).toEqual(['json patch duplicate field "[0].op"'])
  })
})
