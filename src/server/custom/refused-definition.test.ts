import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../api/machinery/structural/definition.ts'
import { input, options, refusal } from '../rest/testing/rest-bench.ts'
import { type CustomBench, crds, openCustomBench, spec } from './testing/custom-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

let bench: CustomBench

beforeEach(async () => {
  bench = await openCustomBench()
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
      'a default that breaks a rule of a field in it',
      {
        type: 'object',
        default: { a: 1 },
        properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 6', message: 'too small' }] } },
      },
      'default.a: Invalid value: 1: too small',
    ],
    [
      'a default that could not stay as it is',
      { type: 'integer', default: 5, 'x-kubernetes-validations': [{ rule: 'oldSelf != self' }] },
      'default: Invalid value: 5: failed rule: oldSelf != self',
    ],
    [
      'a default that is valid only after an update',
      {
        type: 'integer',
        default: 5,
        'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self > 7', optionalOldSelf: true }],
      },
      'default: Invalid value: 5: failed rule: oldSelf.hasValue() || self > 7',
    ],
    [
      'the default of an embedded resource that names no kind',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { apiVersion: 'v1' },
      },
      'default.kind: Required value',
    ],
    [
      'a default in the metadata of an embedded resource that is no name',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } } },
      },
      `properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
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
    const { spec } = bench.readDefinition().spec.versions[0]!.schema!.openAPIV3Schema!.properties!
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

test('a default of additionalProperties need not fit', async () => {
  await bench.define({ type: 'object', additionalProperties: { type: 'integer', default: 'x' } })
  expect(bench.readDefinition().spec.group).toBe('example.com')
})
