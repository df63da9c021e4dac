import { describe, expect, it } from 'vitest'
import { failure } from '../../api/machinery/status-error.ts'
import { type Reader, readOtherCluster } from './read-other-cluster.ts'
import { withoutSecretValues } from './redacted.ts'

const all = ['get', 'list', 'watch', 'create']
const resources = (...names: string[]) => ({ resources: names.map((name) => ({ name, verbs: all })) })
const object = (name: string, resourceVersion: string, more: object = {}) => ({
  kind: 'X',
  apiVersion: 'v1',
  metadata: { name, resourceVersion, uid: `uid-${name}`, ...more },
})
const listOf = (resourceVersion: string, ...items: object[]) => ({ metadata: { resourceVersion }, items })

/** Answers by path without its query. A list of answers is the pages of one list. */
function serverOf(answers: Readonly<Record<string, unknown>>): Reader & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async sendForJson<T>({ path }: { readonly path: string }): Promise<T> {
      asked.push(path)
      const [name = ''] = path.split('?')
      const answer = answers[name]
      if (answer instanceof Error) throw answer
      if (answer === undefined) throw failure(404, 'NotFound', `no ${name}`, {})
      return answer as T
    },
  }
}

const group = (name: string, ...versions: string[]) => ({
  name,
  versions: versions.map((version) => ({ version })),
  preferredVersion: { version: versions[0] },
})

const server = () =>
  serverOf({
    '/version': { gitVersion: 'v1.33.1' },
    '/apis': {
      groups: [
        group('autoscaling', 'v1', 'v2'),
        group('events.k8s.io', 'v1'),
        group('coordination.k8s.io', 'v1'),
        group('example.com', 'v2', 'v1'),
        group('apiextensions.k8s.io', 'v1'),
        group('metrics.k8s.io', 'v1beta1'),
      ],
    },
    '/api/v1': { resources: [...resources('pods', 'secrets', 'nodes', 'pods/log').resources, { name: 'bindings', verbs: ['create'] }] },
    '/apis/autoscaling/v1': resources('horizontalpodautoscalers'),
    '/apis/autoscaling/v2': resources('horizontalpodautoscalers'),
    '/apis/events.k8s.io/v1': resources('events'),
    '/apis/coordination.k8s.io/v1': resources('leases'),
    '/apis/example.com/v1': resources('widgets'),
    '/apis/example.com/v2': resources('widgets'),
    '/apis/apiextensions.k8s.io/v1': resources('customresourcedefinitions'),
    '/apis/metrics.k8s.io/v1beta1': failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {}),
    '/api/v1/pods': listOf('50', object('web-1', '40', { namespace: 'default' })),
    '/api/v1/nodes': listOf('51', object('node-1', '40')),
    '/api/v1/secrets': failure(403, 'Forbidden', 'no', {}),
    '/apis/autoscaling/v2/horizontalpodautoscalers': listOf('52', object('web', '41', { namespace: 'default' })),
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': listOf('53', {
      ...object('widgets.example.com', '42'),
      spec: {
        group: 'example.com',
        names: { plural: 'widgets' },
        versions: [
          { name: 'v2', storage: false },
          { name: 'v1', storage: true },
        ],
      },
    }),
    '/apis/example.com/v1/widgets': listOf('54', object('w', '43', { namespace: 'default' })),
  })

describe('readOtherCluster()', () => {
  it('reads each kind in the version that is stored, and says what is left out', async () => {
    const found = await readOtherCluster(server())
    expect(found.kubernetes).toBe('v1.33.1')
    expect(found.objects.map(({ key }) => key)).toEqual([
      'pods/default/web-1',
      'nodes/node-1',
      'horizontalpodautoscalers.autoscaling/default/web',
      'customresourcedefinitions.apiextensions.k8s.io/widgets.example.com',
      'widgets.example.com/default/w',
    ])
    expect(found.objects[0]!.object).not.toHaveProperty('kind')
    expect(found.leftOut).toEqual([
      'metrics.k8s.io/v1beta1 (the server is currently unable to handle the request)',
      'secrets (you may not list them)',
      'leases.coordination.k8s.io (their holders do not run in a restored cluster)',
    ])
  })

  it('gives every object a revision of its own, and keeps theirs', async () => {
    const found = await readOtherCluster(server())
    expect(found.objects.map(({ object }) => object.metadata?.resourceVersion)).toEqual(['40', '55', '41', '42', '43'])
    expect(found.revision).toBe(55)
  })
})

describe('withoutSecretValues()', () => {
  it('keeps the names of the values, and drops what kubectl noted', () => {
    const metadata = { name: 's', namespace: 'd', annotations: { a: 'b', 'kubectl.kubernetes.io/last-applied-configuration': 'all' } }
    const secret = { key: 'secrets/d/s', createRevision: 2, object: { metadata, type: 'Opaque', data: { p: 'Z2VoZWlt' } } }
    expect(withoutSecretValues(secret).object).toEqual({
      type: 'Opaque',
      metadata: { name: 's', namespace: 'd', annotations: { a: 'b' } },
      data: { p: 'cmVkYWN0ZWQ=' },
    })
    const other = { ...secret, key: 'configmaps/d/s' }
    expect(withoutSecretValues(other)).toBe(other)
  })
})
