import { describe, expect, it } from 'vitest'
import { namespaces, nodeMetrics, nodes, podMetrics, pods, services } from '../../../api/kinds.ts'
import { openMemoryStore } from '../../../store/memory-store.ts'
import { createRest } from '../../rest/create-rest.ts'

const options = { caller: { name: 'me', groups: ['system:masters'] }, manager: 'test' }

async function open() {
  const rest = createRest({ store: openMemoryStore() })
  const create = (kind: never, namespace: string, object: object) => rest.create(kind, namespace, { object }, options)
  await create(namespaces as never, '', { metadata: { name: 'default' } })
  await create(nodes as never, '', { metadata: { name: 'n1' } })
  await create(services as never, 'default', {
    metadata: { name: 'web', annotations: { 'rollcall.dev/load': 'cpu=500m' } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
  const run = async (name: string, annotations: object, phase = 'Running') => {
    const containers = ['a', 'b'].map((container) => ({ name: container, image: 'nginx' }))
    await create(pods as never, 'default', {
      metadata: { name, labels: { app: 'web' }, annotations },
      spec: { nodeName: 'n1', containers },
    })
    const status = { phase, conditions: [{ type: 'Ready', status: 'True' }] }
    await rest.patch(pods, 'default', name, 'status', 'merge', { object: { status } }, options)
  }
  await run('one', { 'rollcall.dev/usage': 'cpu=100m,memory=64Mi' })
  await run('two', {})
  await run('waiting', { 'rollcall.dev/usage': 'cpu=9' }, 'Pending')
  return rest
}

describe('metrics.k8s.io', () => {
  it('serves the usage of running pods: their own, and their share of the load of a Service', async () => {
    const rest = await open()
    const items = rest.list(podMetrics, 'default', {}).items.map(({ object }) => object)
    expect(items).toMatchObject([
      {
        kind: 'PodMetrics',
        apiVersion: 'metrics.k8s.io/v1beta1',
        metadata: { name: 'one', namespace: 'default', labels: { app: 'web' } },
        window: '15s',
        containers: [
          { name: 'a', usage: { cpu: '175m', memory: '32Mi' } },
          { name: 'b', usage: { cpu: '175m', memory: '32Mi' } },
        ],
      },
      { metadata: { name: 'two' }, containers: [{ usage: { cpu: '125m', memory: '0' } }, { name: 'b' }] },
    ])
    expect(rest.list(podMetrics, '', { labelSelector: 'app=other' }).items).toEqual([])
    expect(rest.get(podMetrics, 'default', 'two').object).toMatchObject({ containers: [{ usage: { cpu: '125m' } }, {}] })
    expect(() => rest.get(podMetrics, 'default', 'waiting')).toThrow(/not found/)
  })

  it('serves the usage of nodes: that of their pods', async () => {
    const rest = await open()
    expect(rest.list(nodeMetrics, '', {}).items.map(({ object }) => object)).toMatchObject([
      { kind: 'NodeMetrics', metadata: { name: 'n1' }, usage: { cpu: '600m', memory: '64Mi' } },
    ])
  })
})
