import { beforeEach, expect, test } from 'vitest'
import type { JsonSchema } from '../../api/machinery/structural/definition.ts'
import { input, options, refusal } from '../rest/testing/rest-bench.ts'
import { type CustomBench, crds, crontab, openCustomBench } from './testing/custom-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

const embedded: JsonSchema = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
const holder: JsonSchema = {
  type: 'object',
  properties: { template: embedded, list: { type: 'array', items: embedded }, map: { type: 'object', additionalProperties: embedded } },
}
const foo = { apiVersion: 'v1', kind: 'Foo' }

let bench: CustomBench

beforeEach(async () => {
  bench = await openCustomBench()
})

test.each<[string, object, string]>([
  ['without a kind', { template: {} }, '[spec.template.apiVersion: Required value, spec.template.kind: Required value]'],
  ['with an empty kind', { list: [foo, { ...foo, kind: '' }] }, 'spec.list[1].kind: Invalid value: "": must not be empty'],
  [
    'with a version of three parts',
    { map: { k: { ...foo, apiVersion: 'a/b/c' } } },
    'spec.map[k].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    'whose name contains a slash',
    { template: { ...foo, metadata: { name: 'a/b' } } },
    'spec.template.metadata.name: Invalid value: "a/b": may not contain \'/\'',
  ],
])('an embedded resource %s is refused', async (_name, value, message) => {
  await bench.define(holder)
  const status = await refusal(bench.create(bench.kindOf(), crontab(value)))
  expect(status).toMatchObject({ code: 422, message: `CronTab.example.com "a" is invalid: ${message}` })
})

test.each<[string, object, string]>([
  ['kind', { ...foo, kind: 5 }, 'spec.template.kind: Invalid value: 5: must be a string'],
  [
    'metadata',
    { ...foo, metadata: { name: 5 } },
    'spec.template.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
  ],
])('an embedded resource cannot be decoded where its %s has a wrong type', async (_name, template, message) => {
  await bench.define(holder)
  const status = await refusal(bench.create(bench.kindOf(), crontab({ template })))
  expect(status).toMatchObject({ code: 400, message: `CronTab in version "v1" cannot be handled as a CronTab: ${message}` })
})

test('the metadata of an embedded resource loses unknown fields, with a warning, and keeps finalizers of any name', async () => {
  await bench.define(holder)
  const warnings: string[] = []
  const template = { ...foo, metadata: { name: 'x', creationTimestamp: null, foo: 1, finalizers: ['y'] }, bar: 1 }
  const object = crontab({ template }, { kind: 'CronTab', apiVersion: 'example.com/v1' })
  const { response } = await bench.rest.create(bench.kindOf(), 'default', input(object), { ...options, warn: (one) => warnings.push(one) })
  expect(response.object).toMatchObject({ spec: { template: { ...foo, metadata: { name: 'x', finalizers: ['y'] }, bar: 1 } } })
  expect(JSON.stringify(response.object)).not.toContain('"creationTimestamp":null')
  expect(warnings).toEqual(['unknown field "spec.template.metadata.foo"'])
})

test('all metadata of an embedded resource has an owner, also where the schema declares only its name', async () => {
  const metadata: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } }
  const template: JsonSchema = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { metadata } }
  await bench.create(crds, definition([version(schema({ type: 'object', properties: { template } }))]))
  const made = await bench.create(bench.kindOf(), crontab({ template: { ...foo, metadata: { name: 'x', labels: { a: 'b' } } } }))
  const owned = { 'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} }, 'f:name': {} } }
  expect(made.metadata?.managedFields?.[0]).toMatchObject({ fieldsV1: { 'f:spec': { 'f:template': owned } } })
})

test('a list that was wrong before an update may stay so', async () => {
  const set = (more: object): JsonSchema => ({ type: 'object', properties: { set: { type: 'array', items: { type: 'string' }, ...more } } })
  await bench.define(set({}))
  await bench.create(bench.kindOf(), crontab({ set: ['x', 'x'] }))
  const next = { ...definition([version(schema(set({ 'x-kubernetes-list-type': 'set' })))]), metadata: bench.readDefinition().metadata }
  await bench.rest.update(crds, '', 'crontabs.example.com', undefined, input(next), options)
  const change = input({ metadata: { labels: { a: 'b' } } })
  const { response } = await bench.rest.patch(bench.kindOf(), 'default', 'a', undefined, 'merge', change, options)
  expect(response.object).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { set: ['x', 'x'] } })
})

test('an object that was stored before its schema had embedded resources is read without what they cannot have', async () => {
  const plain: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await bench.define({ type: 'object', properties: { template: plain } })
  await bench.create(bench.kindOf(), crontab({ template: { ...foo, kind: 5, metadata: { name: 'b', labels: { a: 5 } } } }))
  await bench.redefine([version(schema(holder))])
  const patched = await bench.rest.patch(
    bench.kindOf(),
    'default',
    'a',
    undefined,
    'merge',
    input({ spec: { template: { kind: 'Foo' } } }),
    options,
  )
  const { spec } = patched.response.object as { readonly spec?: { readonly template: unknown } }
  expect(spec?.template).toEqual({ ...foo, metadata: { name: 'b' } })
})
