import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { DecodeError } from './decode-error.ts'

const text = (typeName: string, value: unknown) => JSON.stringify(decode(typeName, value).object)
const unknown = (typeName: string, value: unknown) => decode(typeName, value).unknownFields

describe('decode()', () => {
  it('reads each field once, also where fields are out of order at every level', () => {
    let schema: object = { type: 'string' }
    // Twice the work at each level would not end.
    for (let level = 0; level < 64; level++) schema = { type: 'object', properties: { a: schema }, description: String(level) }
    const { object } = decode<{ readonly description?: string }>('apiextensions.JSONSchemaProps', schema)
    expect(Object.keys(object)).toEqual(['description', 'type', 'properties'])
  })

  it.each([
    [
      'writes structs that the input lacks',
      'apps.Deployment',
      {},
      '{"metadata":{},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    ],
    [
      'reads bytes from a list of numbers',
      'core.ConfigMap',
      { binaryData: { a: [], b: [104, 105], c: [104, null] } },
      '{"metadata":{},"binaryData":{"a":"","b":"aGk=","c":"aAA="}}',
    ],
    ['drops nulls', 'core.ConfigMap', { metadata: { name: 'a', labels: null }, data: null }, '{"metadata":{"name":"a"}}'],
    [
      'keeps zero pointers',
      'apps.DeploymentSpec',
      { replicas: 0, paused: false, minReadySeconds: 0 },
      '{"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}}',
    ],
    ['drops empty lists and maps', 'meta.ObjectMeta', { finalizers: [], labels: {}, name: '' }, '{}'],
    ['makes empty lists that are always written null, as protobuf does', 'core.PodSpec', { containers: [] }, '{"containers":null}'],
    [
      'keeps empty lists of definitions, which are stored as JSON',
      'apiextensions.WebhookConversion',
      { conversionReviewVersions: [] },
      '{"conversionReviewVersions":[]}',
    ],
    ['drops fields whose feature is off', 'storage.CSINodeStatus', { storageHealth: [{ name: 'a' }] }, '{}'],
    ['puts fields in order', 'core.EnvVar', { value: 'v', name: 'n' }, '{"name":"n","value":"v"}'],
    ['sorts the keys of maps', 'meta.ObjectMeta', { labels: { b: '1', a: '2' } }, '{"labels":{"a":"2","b":"1"}}'],
    [
      'makes nulls in lists and maps zero',
      'core.ConfigMap',
      { data: { a: null }, binaryData: { b: null } },
      '{"metadata":{},"data":{"a":""},"binaryData":{"b":""}}',
    ],
    ['makes a null item a zero struct', 'core.PodSpec', { containers: [null] }, '{"containers":[{"name":"","resources":{}}]}'],
    [
      'writes times that are not set as null',
      'core.PodCondition',
      { type: 'Ready', status: 'True' },
      '{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":null}',
    ],
    ['leaves out a creation time that is not set', 'meta.ObjectMeta', { creationTimestamp: null }, '{}'],
    [
      'writes a null that is always there',
      'core.TypedLocalObjectReference',
      { kind: 'a', name: 'b' },
      '{"apiGroup":null,"kind":"a","name":"b"}',
    ],
    [
      'canonicalises quantities',
      'core.ResourceRequirements',
      { limits: { cpu: 0.5, memory: '1024Mi' } },
      '{"limits":{"cpu":"500m","memory":"1Gi"}}',
    ],
    [
      'writes a quantity that is not set',
      'core.ResourceFieldSelector',
      { resource: 'limits.cpu' },
      '{"resource":"limits.cpu","divisor":"0"}',
    ],
    ['takes numbers and strings as ports', 'core.HTTPGetAction', { port: 'http', path: '/' }, '{"path":"/","port":"http"}'],
    [
      'moves times to UTC',
      'meta.ObjectMeta',
      { creationTimestamp: '2024-01-01T01:30:00.5+01:00' },
      '{"creationTimestamp":"2024-01-01T00:30:00Z"}',
    ],
    [
      'keeps microseconds',
      'coordination.LeaseSpec',
      { renewTime: '2024-01-01T01:00:00.000001+01:00' },
      '{"renewTime":"2024-01-01T00:00:00.000001Z"}',
    ],
    ['drops fields whose gate is off', 'coordination.LeaseSpec', { strategy: 'x' }, '{}'],
    [
      'keeps free-form JSON',
      'apps.ControllerRevision',
      { data: { a: [null] }, revision: 1 },
      '{"metadata":{},"data":{"a":[null]},"revision":1}',
    ],
    [
      'keeps kind and apiVersion of nested objects',
      'apps.StatefulSetSpec',
      { volumeClaimTemplates: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }] },
      '{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{},"spec":{"resources":{}},"status":{}}],"serviceName":"","updateStrategy":{}}',
    ],
    [
      'keeps an int64 an int64',
      'meta.ObjectMeta',
      { deletionGracePeriodSeconds: 2 ** 63 },
      '{"deletionGracePeriodSeconds":9223372036854775000}',
    ],
    ['makes base64 canonical', 'core.Secret', { data: { a: 'YR==\n' } }, '{"metadata":{},"data":{"a":"YQ=="}}'],
  ])('%s', (_name, typeName, value, expected) => {
    expect(text(typeName, value)).toBe(expected)
    expect(unknown(typeName, value)).toEqual([])
  })

  it('writes the expected kind first, and ignores that of the input', () => {
    const { object, unknownFields } = decode(
      'core.ConfigMap',
      { data: {}, kind: 'Other', apiVersion: 'v2' },
      { kind: 'ConfigMap', apiVersion: 'v1' },
    )
    expect(JSON.stringify(object)).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}')
    expect(unknownFields).toEqual([])
    expect(JSON.stringify(decode('core.ConfigMap', null, { kind: 'ConfigMap' }).object)).toBe('{"kind":"ConfigMap","metadata":{}}')
  })

  it('reports unknown fields with their paths, in the order of the input', () => {
    const value = {
      zzz: 1,
      spec: { template: { spec: { containers: [{ name: 'a', foo: 1 }, { bar: {} }] }, spce: null } },
      metadata: { labels: { any: 'key' }, Name: 'a' },
    }
    expect(unknown('apps.Deployment', value)).toEqual([
      'unknown field "zzz"',
      'unknown field "spec.template.spec.containers[0].foo"',
      'unknown field "spec.template.spec.containers[1].bar"',
      'unknown field "spec.template.spce"',
      'unknown field "metadata.Name"',
    ])
    expect(text('apps.Deployment', value)).not.toContain('foo')
  })

  it('reports at most 100 unknown fields', () => {
    expect(unknown('core.ConfigMap', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, i])))).toHaveLength(100)
  })

  it.each([
    [
      'a string for a number',
      'apps.Deployment',
      { spec: { replicas: '3' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a number out of range',
      'apps.Deployment',
      { spec: { replicas: 99999999999 } },
      'json: cannot unmarshal number 99999999999 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a fraction',
      'apps.Deployment',
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'an int64 out of range',
      'core.PodSpec',
      { terminationGracePeriodSeconds: 2 ** 64 },
      'json: cannot unmarshal number 18446744073709552000 into Go struct field PodSpec.terminationGracePeriodSeconds of type int64',
    ],
    [
      'a number in a map of strings',
      'core.ConfigMap',
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a list item',
      'core.Pod',
      { spec: { containers: [{ name: 'a', ports: [{ containerPort: '80' }] }] } },
      'json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [
      'a named type',
      'core.Pod',
      { spec: { containers: [{ imagePullPolicy: 1 }] } },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
    ],
    [
      'an embedded struct',
      'core.Pod',
      { spec: { volumes: [{ emptyDir: true }] } },
      'json: cannot unmarshal bool into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      'an object for a list',
      'core.Pod',
      { spec: { containers: {} } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    ['a list for an object', 'core.Pod', { spec: [] }, 'json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec'],
    [
      'a string for a map',
      'core.ConfigMap',
      { data: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'a named list',
      'core.NamespaceSpec',
      { finalizers: [1] },
      'json: cannot unmarshal number into Go struct field NamespaceSpec.finalizers of type v1.FinalizerName',
    ],
    [
      'a kind that is no string',
      'apps.StatefulSetSpec',
      { volumeClaimTemplates: [{ kind: 1 }] },
      'json: cannot unmarshal number into Go struct field PersistentVolumeClaim.volumeClaimTemplates.TypeMeta.kind of type string',
    ],
    [
      'a time that is no string',
      'meta.ObjectMeta',
      { creationTimestamp: 1 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string',
    ],
    [
      'no time',
      'meta.ObjectMeta',
      { creationTimestamp: 'x' },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'a time in a field whose feature is off',
      'core.PersistentVolumeClaimStatus',
      { healthStatus: { lastTransitionTime: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'no quantity',
      'core.ResourceRequirements',
      { limits: { cpu: 'lots' } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'a quantity that is an object',
      'core.ResourceRequirements',
      { limits: { cpu: {} } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'no int or string',
      'apps.RollingUpdateDeployment',
      { maxSurge: true },
      'json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.maxSurge of type int32',
    ],
    [
      'a fraction for an int or string',
      'apps.RollingUpdateDeployment',
      { maxSurge: 0.5 },
      'json: cannot unmarshal number 0.5 into Go struct field RollingUpdateDeployment.maxSurge of type int32',
    ],
    ['no base64', 'core.Secret', { data: { a: 'a b=' } }, 'illegal base64 data at input byte 1'],
    [
      'bytes that are no string',
      'core.Secret',
      { data: { a: 1 } },
      'json: cannot unmarshal number into Go struct field Secret.data of type []uint8',
    ],
    [
      'a list with a string for bytes',
      'core.Secret',
      { data: { a: [1, 'b'] } },
      'json: cannot unmarshal string into Go struct field Secret.data of type uint8',
    ],
    [
      'a list with a number that is no byte',
      'core.Secret',
      { data: { a: [256, 'b'] } },
      'json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8',
    ],
    ['a root that is no object', 'core.ConfigMap', [], 'json: cannot unmarshal array into Go value of type v1.ConfigMap'],
    [
      'the first of two wrong types',
      'core.PodSpec',
      { nodeName: 1, hostname: 2 },
      'json: cannot unmarshal number into Go struct field PodSpec.nodeName of type string',
    ],
    [
      'a quantity after a wrong type',
      'core.Container',
      { name: 1, resources: { limits: { cpu: '' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('refuses %s', (_name, typeName, value, message) => {
    expect(() => decode(typeName, value)).toThrow(new DecodeError(message))
  })

  it('keeps __proto__ in maps as data and reports it elsewhere', () => {
    const value = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"data":{"__proto__":"z"},"__proto__":{"polluted":1}}',
    ) as unknown
    const { object, unknownFields } = decode('core.ConfigMap', value)
    expect(JSON.stringify(object)).toBe('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"data":{"__proto__":"z"}}')
    expect(unknownFields).toEqual(['unknown field "__proto__"'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  })

  it('shares no part that may be changed, and does not change its input', () => {
    const value = { metadata: { labels: { a: 'b' }, finalizers: ['f'] }, data: { k: 'v' } }
    const before = structuredClone(value)
    const { object } = decode<typeof value>('core.ConfigMap', value)
    object.metadata.labels.a = 'changed'
    object.metadata.finalizers.push('more')
    object.data.k = 'changed'
    expect(value).toEqual(before)
  })

  it('decodes its own result to an equal object', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('metadata', 'spec', 'data', 'status', 'x'), (json, key) => {
        for (const typeName of ['core.Pod', 'core.ConfigMap', 'apps.Deployment']) {
          try {
            const { object } = decode(typeName, { [key]: json })
            expect(decode(typeName, object)).toEqual({ object, unknownFields: [] })
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError)
          }
        }
      }),
    )
  })
})

describe('facts of the generated table', () => {
  it('writes a missing time of the condition of a definition as null', () => {
    const condition = { type: 'Established', status: 'True', lastTransitionTime: null }
    const { object } = decode('apiextensions.CustomResourceDefinitionStatus', {
      conditions: [{ type: 'Established', status: 'True' }],
      acceptedNames: { plural: 'a', kind: 'A' },
      storedVersions: ['v1'],
    })
    expect(object).toMatchObject({ conditions: [condition] })
  })

  it('drops fields whose feature is off', () => {
    const { object, unknownFields } = decode('core.EmptyDirVolumeSource', { medium: 'Memory', mode: 511 })
    expect(object).toEqual({ medium: 'Memory' })
    expect(unknownFields).toEqual([])
  })
})
