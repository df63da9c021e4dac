import { describe, expect, it } from 'vitest'
import { scaleKind } from '../../kinds/autoscaling/scale/kind.ts'
import { configMaps, coreEvents, deployments, horizontalPodAutoscalers } from '../../kinds.ts'
import type { BodyKind } from '../scheme.ts'
import { StatusError } from '../status-error.ts'
import { decodeBody, decodeValue } from './body.ts'

const refusal = (run: () => unknown): StatusError => {
  try {
    run()
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('decodeBody()', () => {
  it('puts kind and apiVersion first, and uses those of the endpoint when the body has none', () => {
    const { object, warnings } = decodeBody(deployments, '{"metadata":{"name":"a"},"kind":""}', 'Strict')
    expect(Object.keys(object).slice(0, 3)).toEqual(['kind', 'apiVersion', 'metadata'])
    expect(object).toMatchObject({ kind: 'Deployment', apiVersion: 'apps/v1' })
    expect(warnings).toEqual([])
  })

  it('takes a null body as an empty object', () => {
    expect(decodeBody(configMaps, 'null', 'Strict').object).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {} })
  })

  it.each([
    [
      'no valid JSON',
      '{"apiVersion": "v1", ',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion": "v1", )',
    ],
    [
      'nothing',
      '',
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    [
      'a long text that is no JSON',
      'this is not JSON, and it is longer than that',
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'h' in literal true (expecting 'r') (74686973206973206e6f74204a534f4e2c20616e64206974206973206c6f ...)",
    ],
    [
      'a list',
      '[]',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
    ],
    [
      'a kind that is no string',
      '{"kind":1}',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})',
    ],
    [
      'a strange version',
      '{"apiVersion":"a/b/c"}',
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
    ],
    [
      'another kind',
      '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'another kind that is wrong in itself',
      '{"apiVersion":"v1","kind":"Secret","type":1}',
      'Secret in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field Secret.type of type v1.SecretType',
    ],
    [
      'an unknown kind',
      '{"apiVersion":"v1","kind":"Nope"}',
      'Nope in version "v1" cannot be handled as a ConfigMap: no kind "Nope" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'an unknown version',
      '{"apiVersion":"a.example/v2","kind":"ConfigMap"}',
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "a.example/v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'an unknown field',
      '{"spce":1}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spce"',
    ],
    [
      'unknown and duplicate fields',
      '{"spce":1,"data":{"a":"1","a":"2"}}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spce", duplicate field "data.a"',
    ],
    [
      'a value of the wrong type',
      '{"data":1}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string',
    ],
  ])('refuses %s', (_name, text, message) => {
    const { status } = refusal(() => decodeBody(configMaps, text, 'Strict'))
    expect(status).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400 })
  })

  it.each([
    ['served for another endpoint', coreEvents, 'events.k8s.io/v1', 'v1'],
    ['served, with other fields', horizontalPodAutoscalers, 'autoscaling/v1', 'autoscaling/v2'],
    ['served no longer', deployments, 'apps/v1beta1', 'apps/v1'],
    ['of a former group', deployments, 'extensions/v1beta1', 'apps/v1'],
    ['of a subresource', scaleKind, 'apps/v1beta2', 'autoscaling/v1'],
  ])('names both versions when the body has another version of the kind: one that is %s', (_, kind, given, expected) => {
    const body = JSON.stringify({ apiVersion: given, kind: kind.kind })
    expect(refusal(() => decodeBody(kind as BodyKind, body, 'Warn')).message).toBe(
      `the API version in the data (${given}) does not match the expected API version (${expected})`,
    )
  })

  it.each([
    [
      'another kind in a version that is not served',
      '{"apiVersion":"apps/v1beta1","kind":"StatefulSet"}',
      'StatefulSet in version "v1beta1" cannot be handled as a Deployment: converting (v1beta1.StatefulSet) to (apps.Deployment): unknown conversion',
    ],
    [
      'a list of such a version',
      '{"apiVersion":"apps/v1beta1","kind":"DeploymentList"}',
      'DeploymentList in version "v1beta1" cannot be handled as a Deployment: converting (v1beta1.DeploymentList) to (apps.Deployment): unknown conversion',
    ],
    [
      'a policy of a wrong type, as the type that a real server would name',
      '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"podReplacementPolicy":5}}',
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field DeploymentSpec.spec.podReplacementPolicy of type v1.DeploymentPodReplacementPolicy',
    ],
    [
      'a wrong value in such a version',
      '{"apiVersion":"apps/v1beta1","kind":"Deployment","spec":{"replicas":"x"}}',
      'Deployment in version "v1beta1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
  ])('refuses %s', (_, text, message) => expect(refusal(() => decodeBody(deployments, text, 'Warn')).message).toBe(message))

  it('warns or not, as fieldValidation says', () => {
    const text = '{"spce":1,"data":{"a":"1","a":"2"}}'
    expect(decodeBody(configMaps, text, 'Warn').warnings).toEqual(['unknown field "spce"', 'duplicate field "data.a"'])
    expect(decodeBody(configMaps, text, 'Ignore').warnings).toEqual([])
    expect(decodeBody(configMaps, text, 'Ignore').object).toMatchObject({ data: { a: '2' } })
  })

  it('survives JSON that is deeper than the stack', () => {
    const deep = `{"data":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`
    expect(refusal(() => decodeBody(configMaps, deep, 'Strict')).message).toContain('of type string')
    const revision = `{"data":${'['.repeat(5_000)}${']'.repeat(5_000)},"revision":1}`
    expect(
      refusal(() => decodeBody({ ...deployments, kind: 'ControllerRevision', type: 'apps.ControllerRevision' }, revision, 'Warn')).message,
    ).toContain('exceeded max depth')
    const unknown = `{"x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`
    expect(decodeBody(configMaps, unknown, 'Warn').warnings).toEqual(['unknown field "x"'])
  })
})

describe('decodeValue()', () => {
  it('takes a parsed value, and the kinds of subresources', () => {
    expect(decodeValue(scaleKind, { spec: { replicas: 3 } }, 'Strict').object).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {},
      spec: { replicas: 3 },
      status: { replicas: 0 },
    })
  })
})
