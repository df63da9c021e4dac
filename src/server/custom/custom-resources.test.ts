import { beforeEach, describe, expect, test } from 'vitest'
import { kinds as builtIn, customResourceDefinitions } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { KindSet } from '../../api/machinery/kind-set.ts'
import type { CustomResourceDefinition, JsonSchema } from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { WatchEvent } from '../rest/rest.ts'
import { asKind, type Bench, input, openBench, options, refusal, shown } from '../rest/testing/rest-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

const crds = asKind(customResourceDefinitions)
let kinds: KindSet
let bench: Bench

beforeEach(async () => {
  kinds = new KindSet(builtIn)
  bench = await openBench({ kinds })
})

const kindOf = (plural = 'crontabs', name = 'v1'): Kind => kinds.all.find((kind) => kind.plural === plural && kind.version === name)!
const crontab = (spec: unknown, more: object = {}) => ({ metadata: { name: 'a' }, spec, ...more })
const define = (spec: JsonSchema) => bench.create(crds, definition([version(schema(spec))]))
const readDefinition = () => bench.rest.get(crds, '', 'crontabs.example.com').object as CustomResourceDefinition
const settle = () => new Promise((resolve) => setImmediate(resolve))

const spec: JsonSchema = {
  type: 'object',
  properties: { replicas: { type: 'integer', minimum: 0 }, image: { type: 'string', default: 'busybox' } },
}

describe('a definition', () => {
  test('is served when its creation is answered, and established right after', async () => {
    await define(spec)
    const created = await bench.create(kindOf(), crontab({ replicas: 1 }))
    expect(created).toMatchObject({ kind: 'CronTab', apiVersion: 'example.com/v1', spec: { replicas: 1, image: 'busybox' } })
    await settle()
    const { status } = readDefinition()
    expect(status?.acceptedNames).toEqual({
      plural: 'crontabs',
      singular: 'crontab',
      shortNames: ['ct'],
      kind: 'CronTab',
      listKind: 'CronTabList',
    })
    expect(status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ])
    expect(status?.storedVersions).toEqual(['v1'])
  })

  test('drops nulls that its schema does not allow, fills in their defaults, and keeps those that it allows', async () => {
    await define({
      type: 'object',
      properties: {
        plain: { type: 'string' },
        image: { type: 'string', default: 'busybox' },
        free: { type: 'string', nullable: true },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
      },
    })
    const made = await bench.create(kindOf(), crontab({ plain: null, image: null, free: null, list: [{ a: null }] }))
    expect((made as KubernetesObject & { spec: object }).spec).toEqual({ image: 'busybox', free: null, list: [{}] })
  })

  test('ends the watches of its custom resources when it changes or is deleted, after their last events', async () => {
    await define(spec)
    const ends: string[] = []
    const watch = (label: string) => {
      const events: WatchEvent[] = []
      bench.rest.watch(kindOf(), '', {}, { onEvents: (more) => events.push(...more), onEnd: () => ends.push(`${label} ${shown(events)}`) })
    }
    watch('first')
    const { metadata } = readDefinition()
    const next = definition([version(schema({ type: 'object' }))]) as KubernetesObject
    await bench.rest.update(crds, '', 'crontabs.example.com', undefined, input({ ...next, metadata }), options)
    expect(ends).toEqual(['first '])
    await bench.create(kindOf(), crontab({}))
    watch('second')
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await expect.poll(() => ends).toEqual(['first ', 'second ADDED a,DELETED a'])
  })

  test('whose names another one has waits until they are free', async () => {
    await define(spec)
    const names = { plural: 'others', singular: 'other', kind: 'CronTab' }
    await bench.create(crds, definition([version(schema(spec))], { names }))
    await settle()
    const other = () => bench.rest.get(crds, '', 'others.example.com').object as CustomResourceDefinition
    expect(other().status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ['NamesAccepted', 'False', 'ListKindConflict', '"CronTabList" is already in use'],
      ['Established', 'False', 'NotAccepted', 'not all names are accepted'],
    ])
    expect(kindOf('others')).toBeUndefined()
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await settle()
    await settle()
    expect(other().status?.conditions?.map(({ status }) => status)).toEqual(['True', 'True'])
    expect(kindOf('others')).toBeDefined()
  })

  test('deletes its objects when it is deleted, and waits for their finalizers', async () => {
    await define(spec)
    const kind = kindOf()
    await bench.create(kind, crontab({}))
    await bench.create(kind, { metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: {} })
    const watch = bench.watch(kind, '')
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await settle()
    expect(readDefinition().metadata?.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    expect(bench.rest.list(kind, '', {}).items.map(({ object }) => object.metadata?.name)).toEqual(['held'])
    const held = bench.rest.get(kind, 'default', 'held').object
    await bench.rest.update(kind, 'default', 'held', undefined, input({ ...held, metadata: { ...held.metadata, finalizers: [] } }), options)
    for (let turns = 0; turns < 5; turns++) await settle()
    expect((await refusal(() => readDefinition())).message).toBe(
      'customresourcedefinitions.apiextensions.k8s.io "crontabs.example.com" not found',
    )
    expect(kindOf()).toBeUndefined()
    expect(shown(watch.events)).toEqual(['ADDED a', 'ADDED held', 'DELETED a', 'MODIFIED held', 'DELETED held'])
  })

  test('that changes is followed at once, also for stored objects', async () => {
    await define(spec)
    await bench.create(kindOf(), crontab({ replicas: 1 }))
    const current = readDefinition()
    const columns = [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }]
    const versions = [{ ...current.spec.versions[0]!, additionalPrinterColumns: columns }]
    await bench.rest.update(
      crds,
      '',
      'crontabs.example.com',
      undefined,
      input({ ...current, spec: { ...current.spec, versions } }),
      options,
    )
    const { kind, object } = bench.rest.get(kindOf(), 'default', 'a')
    expect(kind.columns?.cells(object as never, 0)).toEqual(['a', 1])
  })

  test('that gets a default shows it in objects that were stored before', async () => {
    await define({ type: 'object', properties: { a: { type: 'string' } } })
    await bench.create(kindOf(), crontab({}))
    const current = readDefinition()
    const versions = [version(schema({ type: 'object', properties: { a: { type: 'string', default: 'x' } } }))]
    await bench.rest.update(
      crds,
      '',
      'crontabs.example.com',
      undefined,
      input({ ...current, spec: { ...current.spec, versions } }),
      options,
    )
    expect(bench.rest.get(kindOf(), 'default', 'a').object).toMatchObject({ spec: { a: 'x' } })
    expect(bench.rest.list(kindOf(), '', {}).items[0]!.json).toContain('"spec":{"a":"x"}')
  })

  test('is served again after a restart', async () => {
    await define(spec)
    await bench.create(kindOf(), crontab({ replicas: 3 }))
    const again = new KindSet(builtIn)
    const { createRest } = await import('../rest/create-rest.ts')
    const rest = createRest({ store: bench.store, kinds: again, clock: bench.clock })
    const kind = again.all.find(({ plural }) => plural === 'crontabs')!
    expect(rest.get(kind, 'default', 'a').object).toMatchObject({ spec: { replicas: 3 } })
  })
})

describe('a definition that is refused', () => {
  const refused = (spec: JsonSchema, more: object = {}) => refusal(bench.create(crds, definition([version(schema(spec))], more)))
  test.each<[string, JsonSchema, string]>([
    [
      'a field without a type',
      { type: 'object', properties: { a: {} } },
      'properties[a].type: Required value: must not be empty for specified object fields',
    ],
    ['a list without items', { type: 'array' }, 'items: Required value: must be specified'],
    [
      'an unknown type',
      { type: 'text' },
      'type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
    [
      'types inside of anyOf',
      { type: 'object', properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } },
      'properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
    ],
    [
      'a default that does not fit',
      { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
      'properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      'a list of list type map without keys',
      { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } },
      'x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
    [
      'a word that is not supported, whatever else is wrong',
      { type: 'object', properties: { a: { $ref: '#/x' } } },
      'properties[a].$ref: Forbidden: $ref is not supported',
    ],
    [
      'a rule that does not compile',
      { type: 'object', properties: { a: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.b > 1' }] },
      `x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^`,
    ],
  ])('for %s', async (_name, spec, message) => {
    const { message: found } = await refused(spec)
    expect(found).toBe(
      `CustomResourceDefinition.apiextensions.k8s.io "crontabs.example.com" is invalid: spec.validation.openAPIV3Schema.properties[spec].${message}`,
    )
  })

  test('with the path of a version, where the versions differ', async () => {
    const first = version(schema({ type: 'object', properties: { a: {} } }))
    const second = { ...version(schema(spec)), name: 'v2', storage: false }
    const { details } = await refusal(bench.create(crds, definition([first, second])))
    expect(details?.causes?.map(({ field }) => field)).toEqual([
      'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a].type',
    ])
  })

  test.each<[string, unknown, string]>([
    [
      'a number as a type',
      { type: 7 },
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.type of type string',
    ],
    [
      'a wrong type inside of items',
      { type: 'array', items: { type: 'string', maxLength: 'x' } },
      'json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items.maxLength of type int64',
    ],
    [
      'a list as properties',
      { type: 'object', properties: [] },
      'json: cannot unmarshal array into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties of type map[string]v1.JSONSchemaProps',
    ],
    ['a string as additionalProperties', { type: 'object', additionalProperties: 'x' }, 'boolean or JSON schema expected'],
  ])('for %s', async (_name, spec, message) => {
    const { message: found } = await refused(spec as JsonSchema)
    expect(found).toBe(`CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: ${message}`)
  })

  test('for an unknown field of its schema, where validation is strict; one inside of items is dropped', async () => {
    const items = { type: 'string', other: 1 }
    const object = definition([version(schema({ type: 'object', properties: { a: { type: 'array', items, wrong: 1 } } } as JsonSchema))])
    const warnings: string[] = []
    await bench.rest.create(crds, '', input(object), { ...options, warn: (one) => warnings.push(one) })
    expect(warnings).toEqual(['unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.wrong"'])
    const { spec } = readDefinition().spec.versions[0]!.schema!.openAPIV3Schema!.properties!
    expect(spec?.properties?.['a']).toEqual({ type: 'array', items: { type: 'string' } })
    const strict = await refusal(bench.rest.create(crds, '', input(object), { ...options, fieldValidation: 'Strict' }))
    expect(strict.message).toContain('strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.')
  })

  test.each([
    ['no such field', '.b'],
    ['no path', 'a'],
  ])('for a rule whose fieldPath is %s', async (_name, fieldPath) => {
    const rules = [{ rule: "self.a != 'x'", fieldPath }]
    const { details } = await refused({ type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': rules })
    expect(details?.causes?.map(({ message }) => message)).toEqual([`Invalid value: "${fieldPath}": must be a valid path`])
  })

  test('for its group, its scope, its names and its versions', async () => {
    const names = { plural: 'A', singular: 'b_', kind: 'X', listKind: 'X' }
    const { details } = await refused(spec, { group: 'nodot', scope: 'Any', names, versions: [] })
    expect(details?.causes?.map(({ field }) => field)).toEqual([
      'metadata.name',
      'spec.group',
      'spec.scope',
      'spec.versions',
      'spec.names.plural',
      'spec.names.singular',
      'spec.names.listKind',
      'status.storedVersions',
    ])
  })
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
    await define(given)
    const status = await refusal(bench.create(kindOf(), crontab(value)))
    expect(status.message).toBe(`CronTab.example.com "a" is invalid: ${message}`)
  })

  test('loses undeclared fields, with a warning or an error', async () => {
    await define(spec)
    const warnings: string[] = []
    const unknown = crontab({ replicas: 1, foo: 1 }, { bar: 2 })
    const written = await bench.rest.create(kindOf(), 'default', input(unknown), { ...options, warn: (one) => warnings.push(one) })
    expect(written.response.object).not.toHaveProperty('bar')
    expect(warnings).toEqual(['unknown field "spec.foo"', 'unknown field "bar"'])
    const strict = await refusal(bench.rest.create(kindOf(), 'default', input(unknown), { ...options, fieldValidation: 'Strict' }))
    expect(strict.message).toContain('strict decoding error: unknown field "spec.foo", unknown field "bar"')
  })

  test('that was wrong before a stricter schema may be changed elsewhere', async () => {
    await define(spec)
    const created = await bench.create(kindOf(), crontab({ replicas: 9 }))
    const current = readDefinition()
    const stricter = schema({ ...spec, properties: { ...spec.properties, replicas: { type: 'integer', maximum: 5 } } })
    const next = { ...current, spec: { ...current.spec, versions: [version(stricter)] } }
    await bench.rest.update(crds, '', 'crontabs.example.com', undefined, input(next), options)
    const update = (change: object) =>
      bench.rest.update(
        kindOf(),
        'default',
        'a',
        undefined,
        input({ ...created, metadata: { ...created.metadata, resourceVersion: revision() }, ...change }),
        options,
      )
    const revision = () => bench.rest.get(kindOf(), 'default', 'a').object.metadata?.resourceVersion
    const { response } = await update({ spec: { replicas: 9, image: 'other' } })
    expect(response.object).toMatchObject({ spec: { image: 'other' } })
    expect((await refusal(update({ spec: { replicas: 8 } }))).message).toContain('should be less than or equal to 5')
  })

  test('keeps its status apart, and counts generations without it', async () => {
    const status: JsonSchema = { type: 'object', properties: { phase: { type: 'string' } } }
    const both: JsonSchema = { type: 'object', properties: { spec, status } }
    await bench.create(crds, definition([version(both, { subresources: { status: {} } })]))
    const kind = kindOf()
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
    await define({ ...spec, 'x-kubernetes-validations': [{ rule: "self.image != 'busybox'", message: 'no image' }] })
    const { details } = await refusal(bench.create(kindOf(), crontab(value)))
    expect(details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual(causes)
  })

  test('has a status that is validated on its own', async () => {
    const status: JsonSchema = { type: 'object', properties: { replicas: { type: 'integer' } } }
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const both: JsonSchema = { type: 'object', properties: { spec, status } }
    await bench.create(crds, definition([version(both, { subresources: { status: {}, scale } })]))
    await bench.create(kindOf(), crontab({ replicas: 1 }))
    const write = (subresource: string, change: object) =>
      bench.rest.patch(kindOf(), 'default', 'a', subresource, 'merge', input(change), options)
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
    await bench.create(kindOf(), crontab({ replicas: 1 }, { status: { replicas: 1, selector: 'a=b' } }))
    const read = bench.rest.get(kindOf(), 'default', 'a', 'scale').object
    expect(read).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1, selector: 'a=b' } })
    await bench.rest.patch(kindOf(), 'default', 'a', 'scale', 'merge', input({ spec: { replicas: 4 } }), options)
    const { object } = bench.rest.get(kindOf(), 'default', 'a')
    expect(object).toMatchObject({ spec: { replicas: 4 } })
    expect(object.metadata?.managedFields?.find(({ subresource }) => subresource === 'scale')).toMatchObject({
      apiVersion: 'example.com/v1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
  })

  test('is one in every served version', async () => {
    const versions = [version(schema(spec)), version(schema(spec), { name: 'v1beta1', storage: false })]
    await bench.create(crds, definition(versions))
    await bench.create(kindOf('crontabs', 'v1beta1'), crontab({ replicas: 1 }))
    expect(bench.rest.get(kindOf(), 'default', 'a').object).toMatchObject({ apiVersion: 'example.com/v1', spec: { replicas: 1 } })
    expect(bench.rest.get(kindOf('crontabs', 'v1beta1'), 'default', 'a').object.apiVersion).toBe('example.com/v1beta1')
    expect(kinds.all.filter(({ group }) => group === 'example.com').map((kind) => kind.version)).toEqual(['v1', 'v1beta1'])
  })

  test('keeps and owns nulls that its schema allows, however it is written', async () => {
    await define({ type: 'object', properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } } })
    const body = { apiVersion: 'example.com/v1', kind: 'CronTab', ...crontab({ a: null, b: 'x' }) }
    const applied = await bench.rest.patch(kindOf(), 'default', 'a', undefined, 'apply', input(body), options)
    const created = await bench.create(kindOf(), { ...body, metadata: { name: 'b' } })
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
    await define({ type: 'object', properties: { list, free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } })
    const apply = (manager: string, value: object) =>
      bench.rest.patch(
        kindOf(),
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
    await bench.create(kindOf(), crontab({ image: 'x' }))
    await bench.create(kindOf(), { metadata: { name: 'b' }, spec: { image: 'y' } })
    const found = bench.rest.list(kindOf(), 'default', { fieldSelector: 'spec.image=y' })
    expect(found.items.map(({ object }) => object.metadata?.name)).toEqual(['b'])
  })
})
