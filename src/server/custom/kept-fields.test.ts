// Which undeclared fields are kept, and which server-side apply accepts: the same as a real kube-apiserver.
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../api/machinery/structural/definition.ts'
import { input, options, refusal } from '../rest/testing/rest-bench.ts'
import { crontab, openCustomBench } from './testing/custom-bench.ts'

const text: JsonSchema = { type: 'string' }
const withA: JsonSchema = { type: 'object', properties: { a: text } }
const keeps = { 'x-kubernetes-preserve-unknown-fields': true }
const schema: JsonSchema = {
  type: 'object',
  properties: {
    empty: { type: 'object' },
    list: { type: 'array', items: { type: 'object' } },
    keptList: { type: 'array', ...keeps, items: { type: 'object', properties: { inner: withA } } },
    kept: { type: 'object', ...keeps, properties: { inner: withA } },
    keptMap: { type: 'object', ...keeps, additionalProperties: withA },
  },
}
const known = { a: 'b' }
const more = { ...known, x: 1 }

test.each<[string, object, object, string | undefined]>([
  ['an object without properties', { empty: { x: 1 } }, { empty: {} }, 'spec.empty.x'],
  ['items without properties', { list: [{ x: 1 }] }, { list: [{}] }, 'spec.list[0].x'],
  ['a list that keeps its fields', { keptList: [{ x: 1 }] }, { keptList: [{ x: 1 }] }, undefined],
  ['a field in such a list', { keptList: [{ inner: more }] }, { keptList: [{ inner: known }] }, 'spec.keptList[0].inner.x'],
  ['a field of an object that keeps its fields', { kept: { x: 1, inner: more } }, { kept: { x: 1, inner: known } }, 'spec.kept.inner.x'],
  ['a member of a map that keeps its fields', { keptMap: { m: more } }, { keptMap: { m: known } }, 'spec.keptMap.m.x'],
])('%s loses what it does not keep, and can be applied on the server', async (_name, given, kept, unknown) => {
  const bench = await openCustomBench()
  await bench.define(schema)
  const warnings: string[] = []
  const typed = crontab(given, { apiVersion: 'example.com/v1', kind: 'CronTab' })
  const warned = { ...options, warn: (one: string) => warnings.push(one) }
  const { response } = await bench.rest.create(bench.kindOf(), 'default', input(typed), warned)
  expect(response.object).toMatchObject({ spec: kept })
  expect(warnings).toEqual(unknown === undefined ? [] : [`unknown field "${unknown}"`])
  const other = { ...typed, metadata: { name: 'b' } }
  const applied = await bench.rest.patch(bench.kindOf(), 'default', 'b', undefined, 'apply', input(other), options)
  expect((applied.response.object as { spec?: unknown }).spec).toEqual(kept)
})

test.each<[string, unknown, string]>([
  ['of the root', null, 'spec: Invalid value: "null": spec in body must be of type object: "null"'],
  ['of an object', { empty: null }, 'spec.empty: Invalid value: "null": spec.empty in body must be of type object: "null"'],
  [
    'within',
    { kept: { inner: { a: null } } },
    'spec.kept.inner.a: Invalid value: "null": spec.kept.inner.a in body must be of type string: "null"',
  ],
])('a null for a field %s counts as absent, but server-side apply refuses it', async (_name, spec, message) => {
  const bench = await openCustomBench()
  await bench.define(schema)
  const typed = crontab(spec, { apiVersion: 'example.com/v1', kind: 'CronTab' })
  const { response } = await bench.rest.create(bench.kindOf(), 'default', input(typed), options)
  expect(JSON.stringify(response.object)).not.toContain('null')
  const other = { ...typed, metadata: { name: 'b' } }
  const status = await refusal(bench.rest.patch(bench.kindOf(), 'default', 'b', undefined, 'apply', input(other), options))
  expect(status).toMatchObject({ code: 422, message: `CronTab.example.com "b" is invalid: ${message}` })
})
