// Bodies in protobuf, as Go clients send them, carry the fields of the proposals.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { field, varint } from './malformed-protobuf.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const text = (number: number, value: string) => field(number, Buffer.from(value))
const count = (number: number, value: number) => Buffer.concat([varint(number * 8), varint(value)])
const message = (number: number, ...parts: readonly Buffer[]) => field(number, Buffer.concat(parts))
const object = (apiVersion: string, kind: string, ...parts: readonly Buffer[]) =>
  Buffer.concat([Buffer.from('k8s\0'), message(1, text(1, apiVersion), text(2, kind)), message(2, ...parts)])
const labels = (number: number) => message(number, text(1, 'app'), text(2, 'x'))
const container = message(2, text(1, 'c'), text(2, 'i'))

describe('a body in protobuf', () => {
  let cluster: RunningCluster
  const send = (method: string, path: string, body: Buffer) =>
    cluster.ask(method, path, body, { 'content-type': 'application/vnd.kubernetes.protobuf' })

  beforeAll(async () => {
    cluster = await startCluster()
  }, 60_000)
  afterAll(() => cluster?.stop())

  it('carries podReplacementPolicy of a Deployment', async () => {
    const template = message(3, message(1, labels(11)), message(2, container))
    const spec = message(2, count(1, 0), message(2, labels(1)), template, text(10, 'TerminationComplete'))
    const body = object('apps/v1', 'Deployment', message(1, text(1, 'd')), spec)
    const { code, json } = await send('POST', '/apis/apps/v1/namespaces/default/deployments', body)
    expect(code).toBe(201)
    expect(json).toMatchObject({ spec: { replicas: 0, podReplacementPolicy: 'TerminationComplete' } })
  })

  it('is validated like any other', async () => {
    const spec = message(2, message(2, labels(1)), message(3, message(1, labels(11)), message(2, container)), text(10, 'Sometimes'))
    const body = object('apps/v1', 'Deployment', message(1, text(1, 'wrong')), spec)
    const { code, text: answer } = await send('POST', '/apis/apps/v1/namespaces/default/deployments', body)
    expect(code).toBe(422)
    expect(answer).toContain('spec.podReplacementPolicy: Unsupported value')
  })

  it('carries the terminating pods of a ReplicaSet in its status', async () => {
    const path = '/apis/apps/v1/namespaces/default/replicasets'
    const own = (...more: readonly Buffer[]) =>
      object(
        'apps/v1',
        'ReplicaSet',
        message(1, text(1, 'r')),
        message(2, count(1, 0), message(2, labels(1)), message(3, message(1, labels(11)), message(2, container))),
        ...more,
      )
    expect((await send('POST', path, own())).code).toBe(201)
    const { code, json } = await send('PUT', `${path}/r/status`, own(message(3, count(1, 0), count(7, 2))))
    expect(code).toBe(200)
    expect(json).toMatchObject({ status: { terminatingReplicas: 2 } })
  })

  it('carries podReplacementPolicy of a Job', async () => {
    const template = message(6, message(2, container, text(3, 'Never')))
    const body = object('batch/v1', 'Job', message(1, text(1, 'j')), message(2, template, text(14, 'Failed'), count(10, 1)))
    const { code, json } = await send('POST', '/apis/batch/v1/namespaces/default/jobs', body)
    expect(code).toBe(201)
    expect(json).toMatchObject({ spec: { podReplacementPolicy: 'Failed', suspend: true } })
  })
})
