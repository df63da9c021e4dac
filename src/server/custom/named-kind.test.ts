// The kind and apiVersion that a custom resource names in a request.
import { beforeEach, describe, expect, test } from 'vitest'
import { input, options, refusal } from '../rest/testing/rest-bench.ts'
import { type CustomBench, crds, crontab, openCustomBench, spec } from './testing/custom-bench.ts'
import { definition, version } from './testing/definitions.ts'

let bench: CustomBench

beforeEach(async () => {
  bench = await openCustomBench()
  const status = { type: 'object', properties: { phase: { type: 'string' } } } as const
  await bench.create(crds, definition([version({ type: 'object', properties: { spec, status } }, { subresources: { status: {} } })]))
})

describe('a patch', () => {
  const patch = (format: 'merge' | 'json', body: unknown, subresource?: string) =>
    bench.rest.patch(bench.kindOf(), 'default', 'a', subresource, format, input(body), options)

  beforeEach(async () => {
    await bench.create(bench.kindOf(), crontab({ replicas: 1 }))
  })

  test.each<[string, object, string]>([
    ['another kind', { kind: 'Other' }, 'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be CronTab'],
    [
      'another version',
      { apiVersion: 'example.com/v2' },
      'CronTab.example.com "a" is invalid: apiVersion: Invalid value: "example.com/v2": must be example.com/v1',
    ],
    ['a version without a group', { apiVersion: 'v1' }, 'CronTab "a" is invalid: apiVersion: Invalid value: "v1": must be example.com/v1'],
    [
      'a built-in kind, and an invalid spec',
      { kind: 'Deployment', apiVersion: 'apps/v1', spec: { replicas: 'x' } },
      'Deployment.apps "a" is invalid: [kind: Invalid value: "Deployment": must be CronTab, apiVersion: Invalid value: "apps/v1": must be example.com/v1]',
    ],
  ])('that names %s is refused as an invalid object', async (_name, body, message) => {
    expect(await refusal(patch('merge', body))).toMatchObject({ code: 422, message })
    const operations = Object.entries(body).map(([field, value]) => ({ op: 'add', path: `/${field}`, value }))
    expect(await refusal(patch('json', operations))).toMatchObject({ code: 422, message })
  })

  test.each<[string, object, string]>([
    ['the kind is removed', { kind: null }, "Object 'Kind' is missing in '{"],
    ['the kind is no string', { kind: 5 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
    ['the version has three parts', { apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
  ])('cannot be read where %s', async (_name, body, why) => {
    const { code, details } = await refusal(patch('merge', body))
    expect(code).toBe(422)
    expect(details?.causes?.[0]).toMatchObject({ field: 'patch', message: expect.stringContaining(why) })
  })

  test('that removes the version is an internal error', async () => {
    const message = "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'"
    expect(await refusal(patch('merge', { apiVersion: null }))).toMatchObject({ code: 500, message })
  })

  test('of the status may name any kind, as only the status is read', async () => {
    const { response } = await patch('merge', { kind: 'Other', status: { phase: 'Done' } }, 'status')
    expect(response.object).toMatchObject({ kind: 'CronTab', apiVersion: 'example.com/v1', status: { phase: 'Done' } })
  })
})

describe('a body', () => {
  test.each<[string, object, number, string]>([
    [
      'no kind',
      { apiVersion: 'example.com/v1' },
      400,
      "the object provided is unrecognized (must be of type CronTab): Object 'Kind' is missing in '{",
    ],
    ['no version', { kind: 'CronTab' }, 400, 'the API version in the data () does not match the expected API version (example.com/v1)'],
    [
      'a built-in kind',
      { kind: 'Deployment', apiVersion: 'apps/v1' },
      400,
      'the API version in the data (apps/v1) does not match the expected API version (example.com/v1)',
    ],
    [
      'another kind',
      { kind: 'Other', apiVersion: 'example.com/v1' },
      422,
      'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be CronTab',
    ],
  ])('that names %s is refused', async (_name, named, code, message) => {
    const status = await refusal(bench.rest.create(bench.kindOf(), 'default', input(crontab({}, named)), options))
    expect(status).toMatchObject({ code, message: expect.stringContaining(message) })
  })
})
