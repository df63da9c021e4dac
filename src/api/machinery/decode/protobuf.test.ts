import { describe, expect, it } from 'vitest'
import { decodeProtobuf, readEnvelope } from './protobuf.ts'

// A writer of messages that is good enough to test the reader.
const varint = (value: number | bigint): number[] => {
  let left = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
  return [...bytes, Number(left)]
}
const number = (field: number, value: number | bigint) => [...varint(field << 3), ...varint(value)]
const bytes = (field: number, content: readonly number[]) => [...varint((field << 3) | 2), ...varint(content.length), ...content]
const string = (field: number, value: string) => bytes(field, [...new TextEncoder().encode(value)])
const envelope = (apiVersion: string, kind: string, message: readonly number[]) =>
  Uint8Array.from([0x6b, 0x38, 0x73, 0, ...bytes(1, [...string(1, apiVersion), ...string(2, kind)]), ...bytes(2, message)])
const decode = (type: string, message: readonly number[]) => decodeProtobuf(type, readEnvelope(envelope('v1', 'X', message)))

describe('decodeProtobuf()', () => {
  it('reads a Deployment', () => {
    const container = [...string(1, 'web'), ...string(2, 'nginx'), ...bytes(6, number(3, 80))]
    const template = [...bytes(1, bytes(11, [...string(1, 'app'), ...string(2, 'x')])), ...bytes(2, bytes(2, container))]
    const spec = [...number(1, 3), ...bytes(2, bytes(1, [...string(1, 'app'), ...string(2, 'x')])), ...bytes(3, template)]
    const message = [...bytes(1, string(1, 'a')), ...bytes(2, spec), ...bytes(3, [])]
    expect(decodeProtobuf('apps.Deployment', readEnvelope(envelope('apps/v1', 'Deployment', message)))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
        },
      },
      status: {},
    })
  })

  it('reads what JSON inlines', () => {
    // Volume: name, and the source in a message of its own.
    const volume = [...string(1, 'v'), ...bytes(2, bytes(1, string(1, '/x')))]
    expect(decode('core.PodSpec', bytes(1, volume))).toMatchObject({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] })
  })

  for (const [name, type, message, expected] of [
    [
      'the policy of a Deployment',
      'apps.DeploymentSpec',
      string(10, 'TerminationComplete'),
      { podReplacementPolicy: 'TerminationComplete' },
    ],
    ['the terminating pods of a Deployment', 'apps.DeploymentStatus', number(9, 0), { terminatingReplicas: 0 }],
    ['the terminating pods of a ReplicaSet', 'apps.ReplicaSetStatus', number(7, 2), { terminatingReplicas: 2 }],
    ['the policy of a Job', 'batch.JobSpec', string(14, 'Failed'), { podReplacementPolicy: 'Failed' }],
    ['the terminating pods of a Job', 'batch.JobStatus', number(11, 3), { terminating: 3 }],
    ['a negative number', 'core.PodSpec', number(25, -5n), { priority: -5 }],
    ['a boolean', 'core.PodSpec', number(11, 1), { hostNetwork: true }],
    [
      'a quantity',
      'core.ResourceRequirements',
      bytes(1, [...string(1, 'cpu'), ...bytes(2, string(1, '500m'))]),
      { limits: { cpu: '500m' } },
    ],
    ['a time', 'meta.ObjectMeta', bytes(8, number(1, 1_700_000_000)), { creationTimestamp: '2023-11-14T22:13:20Z' }],
    ['the zero time', 'meta.ObjectMeta', bytes(8, []), { creationTimestamp: undefined }],
    [
      'a time with microseconds',
      'coordination.LeaseSpec',
      bytes(4, [...number(1, 1_700_000_000), ...number(2, 123_456_789)]),
      { renewTime: '2023-11-14T22:13:20.123456Z' },
    ],
    [
      'a percentage',
      'policy.PodDisruptionBudgetSpec',
      bytes(1, [...number(1, 1), ...number(2, 0), ...string(3, '50%')]),
      { minAvailable: '50%' },
    ],
    ['a number or percentage', 'policy.PodDisruptionBudgetSpec', bytes(1, [...number(1, 0), ...number(2, 7)]), { minAvailable: 7 }],
    ['bytes', 'core.Secret', bytes(2, [...string(1, 'k'), ...bytes(2, [0, 255])]), { data: { k: 'AP8=' } }],
    ['packed numbers', 'core.PodSecurityContext', bytes(4, [...varint(1), ...varint(300)]), { supplementalGroups: [1, 300] }],
    ['free-form JSON', 'apps.ControllerRevision', bytes(2, string(1, '{"a":[1]}')), { data: { a: [1] } }],
    ['an unknown field', 'core.PodSpec', [...string(9999, 'x'), ...string(3, 'Always')], { restartPolicy: 'Always' }],
  ] as const)
    it(`reads ${name}`, () => expect(decode(type, message)).toEqual({ apiVersion: 'v1', kind: 'X', ...expected }))

  it('keeps a key named __proto__ a key', () => {
    const { data } = decode('core.ConfigMap', bytes(2, [...string(1, '__proto__'), ...string(2, 'x')])) as { data: object }
    expect(Object.hasOwn(data, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  })

  for (const [name, message, why] of [
    ['a length beyond the end', [0x0a, 0x7f], '^unexpected EOF$'],
    ['an endless number', Array.from({ length: 20 }, () => 0xff), ''],
    ['a group', [0x0b], 'wire type 3'],
    ['a text where a number belongs', string(25, 'x'), ''],
  ] as const)
    it(`refuses ${name}`, () => expect(() => decode('core.PodSpec', message)).toThrow(new RegExp(why)))

  it.each([
    ['bytes that are no object', [1, 2, 3], 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['no bytes', [], 'empty data'],
    ['the prefix alone', [0x6b, 0x38, 0x73, 0], 'empty body'],
    ['an envelope that ends early', [0x6b, 0x38, 0x73, 0, 0x0a, 0x7f], 'unexpected EOF'],
  ])('refuses %s', (_, bytes, why) => {
    expect(() => readEnvelope(Uint8Array.from(bytes))).toThrow(why)
  })
})
