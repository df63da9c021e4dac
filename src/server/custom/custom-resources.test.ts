import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { input, options, refusal } from '../rest/testing/rest-bench.ts'
import { type CustomBench, crds, crontab, openCustomBench, spec } from './testing/custom-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

let bench: CustomBench

beforeEach(async () => {
  bench = await openCustomBench()
})

describe('an object', () => {
  test.each<[string, JsonSchema, unknown, string]>([
    [
      'of a wrong type',
      spec,
      { replicas: 'x' },
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ],
    [
      'below a minimum',
      spec,
      { replicas: -1 },
      'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
    ],
    [
      'with more characters than allowed, some of them beyond the first 65,536',
      { type: 'object', properties: { a: { type: 'string', maxLength: 2 } } },
      { a: '😀😀😀' },
      'spec.a: Too long: may not be more than 2 bytes',
    ],
    [
      'with fewer characters than allowed, some of them beyond the first 65,536',
      { type: 'object', properties: { a: { type: 'string', minLength: 3 } } },
      { a: '😀😀' },
      'spec.a: Invalid value: "😀😀": spec.a in body should be at least 3 chars long',
    ],
    [
      'with a number where its format wants a time',
      { type: 'object', properties: { a: { type: 'string', format: 'date-time' } } },
      { a: 1 },
      'spec.a: Invalid value: "int64": spec.a in body must be of type date-time: "int64"',
    ],
    [
      'with a string that has not its format',
      { type: 'object', properties: { a: { type: 'string', format: 'date-time' } } },
      { a: 'x' },
      'spec.a: Invalid value: "x": spec.a in body must be of type date-time: "x"',
    ],
    [
      'with a number that is too large',
      { type: 'object', properties: { a: { type: 'integer', format: 'int32' } } },
      { a: 2 ** 31 },
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.a',
    ],
    [
      'with an item without keys',
      {
        type: 'object',
        properties: {
          a: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
          },
        },
      },
      { a: [1] },
      '[spec.a[0]: Invalid value: "integer": spec.a[0] in body must be of type object: "integer", spec.a[0]: Invalid value: 1: must be an object for an array of list-type map]',
    ],
    [
      'with null where values are listed, also if the schema is nullable and null is one of them',
      { type: 'object', properties: { a: { type: 'string', nullable: true, enum: ['x', null] } } },
      { a: null },
      'spec.a: Unsupported value: null: supported values: "x", "null"',
    ],
    [
      'with null in a list whose items have listed values',
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string', enum: ['x'] } } } },
      { a: [null] },
      '[spec.a[0]: Invalid value: "null": spec.a[0] in body must be of type string: "null", spec.a[0]: Unsupported value: null: supported values: "x"]',
    ],
    [
      'with a string that is too short and does not match',
      { type: 'object', properties: { a: { type: 'string', minLength: 2, pattern: '^a' } } },
      { a: 'x' },
      'spec.a: Invalid value: "x": spec.a in body should be at least 2 chars long',
    ],
    ['without a required field', { ...spec, required: ['replicas'] }, {}, 'spec.replicas: Required value'],
    [
      'with a value that is not in the list',
      { type: 'object', properties: { mode: { type: 'string', enum: ['a', 'b'] } } },
      { mode: 'c' },
      'spec.mode: Unsupported value: "c": supported values: "a", "b"',
    ],
    [
      'that breaks a rule',
      { ...spec, 'x-kubernetes-validations': [{ rule: 'self.replicas < 5', message: 'too many' }] },
      { replicas: 7 },
      'spec: Invalid value: too many',
    ],
    [
      'that breaks a rule with a message of its own and a path',
      {
        ...spec,
        'x-kubernetes-validations': [
          {
            rule: 'self.replicas < 5',
            messageExpression: "'%d is too many'.format([self.replicas])",
            fieldPath: '.replicas',
            reason: 'FieldValueForbidden',
          },
        ],
      },
      { replicas: 7 },
      'spec.replicas: Forbidden: 7 is too many',
    ],
    [
      'with a key twice',
      {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
      },
      { list: [{ name: 'x' }, { name: 'x' }] },
      'spec.list[1]: Duplicate value: {"name":"x"}',
    ],
  ])('%s is refused', async (_name, given, value, message) => {
    await bench.define(given)
    const status = await refusal(bench.create(bench.kindOf(), crontab(value)))
    expect(status.message).toBe(`CronTab.example.com "a" is invalid: ${message}`)
  })

  test('loses undeclared fields, with a warning or an error', async () => {
    await bench.define(spec)
    const warnings: string[] = []
    const unknown = crontab({ replicas: 1, foo: 1 }, { kind: 'CronTab', apiVersion: 'example.com/v1', bar: 2 })
    const written = await bench.rest.create(bench.kindOf(), 'default', input(unknown), { ...options, warn: (one) => warnings.push(one) })
    expect(written.response.object).not.toHaveProperty('bar')
    expect(warnings).toEqual(['unknown field "bar"', 'unknown field "spec.foo"'])
    const strict = await refusal(bench.rest.create(bench.kindOf(), 'default', input(unknown), { ...options, fieldValidation: 'Strict' }))
    expect(strict.message).toContain('strict decoding error: unknown field "bar", unknown field "spec.foo"')
  })

  test('that was wrong before a stricter schema may be changed elsewhere', async () => {
    await bench.define(spec)
    const created = await bench.create(bench.kindOf(), crontab({ replicas: 9 }))
    const current = bench.readDefinition()
    const stricter = schema({ ...spec, properties: { ...spec.properties, replicas: { type: 'integer', maximum: 5 } } })
    const next = { ...current, spec: { ...current.spec, versions: [version(stricter)] } }
    await bench.rest.update(crds, '', 'crontabs.example.com', undefined, input(next), options)
    const update = (change: object) =>
      bench.rest.update(
        bench.kindOf(),
        'default',
        'a',
        undefined,
        input({ ...created, metadata: { ...created.metadata, resourceVersion: revision() }, ...change }),
        options,
      )
    const revision = () => bench.rest.get(bench.kindOf(), 'default', 'a').object.metadata?.resourceVersion
    const { response } = await update({ spec: { replicas: 9, image: 'other' } })
    expect(response.object).toMatchObject({ spec: { image: 'other' } })
    expect((await refusal(update({ spec: { replicas: 8 } }))).message).toContain('should be less than or equal to 5')
  })

  test('keeps its status apart, and counts generations without it', async () => {
    const status: JsonSchema = { type: 'object', properties: { phase: { type: 'string' } } }
    const both: JsonSchema = { type: 'object', properties: { spec, status } }
    await bench.create(crds, definition([version(both, { subresources: { status: {} } })]))
    const kind = bench.kindOf()
    const created = await bench.create(kind, crontab({ replicas: 1 }, { status: { phase: 'x' } }))
    expect(created).not.toHaveProperty('status')
    const put = async (subresource: string | undefined, change: object) => {
      const current = bench.rest.get(kind, 'default', 'a').object
      return (await bench.rest.update(kind, 'default', 'a', subresource, input({ ...current, ...change }), options)).response.object
    }
    expect(await put('status', { status: { phase: 'y' }, spec: { replicas: 2 } })).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 1 },
      status: { phase: 'y' },
    })
    expect(await put(undefined, { status: { phase: 'z' }, spec: { replicas: 2 } })).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 2 },
      status: { phase: 'y' },
    })
  })

  test.each([
    [
      'is not, for a type',
      { replicas: 'x' },
      [
        'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [
      'is, for a value',
      { replicas: -1 },
      ['spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0', 'spec: Invalid value: no image'],
    ],
  ])('has rules that are evaluated after other errors where possible: %s', async (_name, value, causes) => {
    await bench.define({ ...spec, 'x-kubernetes-validations': [{ rule: "self.image != 'busybox'", message: 'no image' }] })
    const { details } = await refusal(bench.create(bench.kindOf(), crontab(value)))
    expect(details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual(causes)
  })

  test('has a status that is validated on its own', async () => {
    const status: JsonSchema = { type: 'object', properties: { replicas: { type: 'integer' } } }
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const both: JsonSchema = { type: 'object', properties: { spec, status } }
    await bench.create(crds, definition([version(both, { subresources: { status: {}, scale } })]))
    await bench.create(bench.kindOf(), crontab({ replicas: 1 }))
    const write = (subresource: string, change: object) =>
      bench.rest.patch(bench.kindOf(), 'default', 'a', subresource, 'merge', input(change), options)
    const ofStatus = await refusal(write('status', { status: { replicas: 'x' } }))
    expect(ofStatus.message).toBe(
      'CronTab.example.com "a" is invalid: [status.replicas: Invalid value: "string": replicas in body must be of type integer: "string", .status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected int64]',
    )
    const ofScale = await refusal(write('scale', { spec: { replicas: -1 } }))
    expect(ofScale.message).toBe(
      'CronTab.example.com "a" is invalid: [spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0, .spec.replicas: Invalid value: -1: should be a non-negative integer]',
    )
  })

  test('is scaled through its scale', async () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' }
    const status: JsonSchema = { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } }
    const both: JsonSchema = { type: 'object', properties: { spec, status } }
    await bench.create(crds, definition([version(both, { subresources: { scale } })]))
    await bench.create(bench.kindOf(), crontab({ replicas: 1 }, { status: { replicas: 1, selector: 'a=b' } }))
    const read = bench.rest.get(bench.kindOf(), 'default', 'a', 'scale').object
    expect(read).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1, selector: 'a=b' } })
    await bench.rest.patch(bench.kindOf(), 'default', 'a', 'scale', 'merge', input({ spec: { replicas: 4 } }), options)
    const { object } = bench.rest.get(bench.kindOf(), 'default', 'a')
    expect(object).toMatchObject({ spec: { replicas: 4 } })
    expect(object.metadata?.managedFields?.find(({ subresource }) => subresource === 'scale')).toMatchObject({
      apiVersion: 'example.com/v1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
  })

  describe('without replicas', () => {
    const scale = { specReplicasPath: '.spec.deep.count', statusReplicasPath: '.status.replicas' }
    const free: JsonSchema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
    const patchScale = (body: object) => bench.rest.patch(bench.kindOf(), 'default', 'a', 'scale', 'merge', input(body), options)

    beforeEach(async () => {
      await bench.create(crds, definition([version(free, { subresources: { scale } })]))
    })

    test.each([
      ['the spec', { metadata: { name: 'a' } }],
      ['the object around them', crontab({})],
    ])('and %s has no scale until it gets one by a patch', async (_name, object) => {
      await bench.create(bench.kindOf(), object)
      expect(() => bench.rest.get(bench.kindOf(), 'default', 'a', 'scale')).toThrow(
        'Internal error occurred: the spec replicas field ".spec.deep.count" does not exist',
      )
      expect(await refusal(patchScale({ spec: {} }))).toMatchObject({
        code: 400,
        message: 'the spec replicas field ".spec.deep.count" cannot be empty',
      })
      expect((await patchScale({ spec: { replicas: 3 } })).response.object).toMatchObject({ spec: { replicas: 3 } })
      expect(bench.rest.get(bench.kindOf(), 'default', 'a').object).toMatchObject({ spec: { deep: { count: 3 } } })
    })

    test('cannot be scaled where null is in their place', async () => {
      await bench.create(bench.kindOf(), crontab({ deep: null }))
      expect(await refusal(patchScale({ spec: { replicas: 3 } }))).toMatchObject({
        code: 500,
        message: 'value cannot be set because .spec.deep is not a map[string]interface{}',
      })
    })

    test('is refused where a value in their place has no fields', async () => {
      expect((await refusal(bench.create(bench.kindOf(), crontab({ deep: 5 })))).message).toBe(
        'CronTab.example.com "a" is invalid: .spec.deep.count: Invalid value: 0: .spec.deep.count accessor error: 5 is of the type int64, expected map[string]interface{}',
      )
    })
  })

  test('leaves its writer the ownership of the object that holds the replicas', async () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const replicasOnly: JsonSchema = { type: 'object', properties: { replicas: { type: 'integer' } } }
    await bench.create(crds, definition([version(schema(replicasOnly), { subresources: { scale } })]))
    await bench.create(bench.kindOf(), crontab({ replicas: 1 }))
    await bench.rest.patch(bench.kindOf(), 'default', 'a', 'scale', 'merge', input({ spec: { replicas: 4 } }), options)
    const { metadata } = bench.rest.get(bench.kindOf(), 'default', 'a').object
    expect(metadata?.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:spec': { 'f:replicas': {} } }, { 'f:spec': {} }])
  })

  test('is one in every served version', async () => {
    const versions = [version(schema(spec)), version(schema(spec), { name: 'v1beta1', storage: false })]
    await bench.create(crds, definition(versions))
    await bench.create(bench.kindOf('crontabs', 'v1beta1'), crontab({ replicas: 1 }))
    expect(bench.rest.get(bench.kindOf(), 'default', 'a').object).toMatchObject({ apiVersion: 'example.com/v1', spec: { replicas: 1 } })
    expect(bench.rest.get(bench.kindOf('crontabs', 'v1beta1'), 'default', 'a').object.apiVersion).toBe('example.com/v1beta1')
    expect(bench.kinds.all.filter(({ group }) => group === 'example.com').map((kind) => kind.version)).toEqual(['v1', 'v1beta1'])
  })

  test('keeps and owns nulls that its schema allows, however it is written', async () => {
    await bench.define({ type: 'object', properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } } })
    const body = { apiVersion: 'example.com/v1', kind: 'CronTab', ...crontab({ a: null, b: 'x' }) }
    const applied = await bench.rest.patch(bench.kindOf(), 'default', 'a', undefined, 'apply', input(body), options)
    const created = await bench.create(bench.kindOf(), { ...body, metadata: { name: 'b' } })
    for (const object of [applied.response.object, created])
      expect(object).toMatchObject({
        spec: { a: null, b: 'x' },
        metadata: { managedFields: [{ fieldsV1: { 'f:spec': { 'f:a': {}, 'f:b': {} } } }] },
      })
  })

  test('is applied by several managers, list entry by list entry', async () => {
    const list: JsonSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'integer' } }, required: ['name'] },
    }
    await bench.define({ type: 'object', properties: { list, free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } })
    const apply = (manager: string, value: object) =>
      bench.rest.patch(
        bench.kindOf(),
        'default',
        'a',
        undefined,
        'apply',
        input({ apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'a' }, spec: value }),
        { ...options, manager },
      )
    await apply('one', { list: [{ name: 'x', value: 1 }], free: { a: 1 } })
    const { response } = await apply('two', { list: [{ name: 'y', value: 2 }], free: { b: { c: 2 } } })
    expect((response.object as KubernetesObject & { spec: unknown }).spec).toEqual({
      list: [
        { name: 'x', value: 1 },
        { name: 'y', value: 2 },
      ],
      free: { a: 1, b: { c: 2 } },
    })
    expect((await refusal(apply('two', { list: [{ name: 'x', value: 5 }] }))).message).toContain('conflict with "one"')
    expect((await refusal(apply('two', { nope: 1 }))).message).toContain('.spec.nope: field not declared in schema')
  })

  test('is selected by the fields that its definition names', async () => {
    const image: JsonSchema = { type: 'object', properties: { image: { type: 'string' } } }
    await bench.create(crds, definition([version(schema(image), { selectableFields: [{ jsonPath: '.spec.image' }] })]))
    await bench.create(bench.kindOf(), crontab({ image: 'x' }))
    await bench.create(bench.kindOf(), { metadata: { name: 'b' }, spec: { image: 'y' } })
    const found = bench.rest.list(bench.kindOf(), 'default', { fieldSelector: 'spec.image=y' })
    expect(found.items.map(({ object }) => object.metadata?.name)).toEqual(['b'])
  })
})
