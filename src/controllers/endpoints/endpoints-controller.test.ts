import { afterEach, describe, expect, it } from 'vitest'
import { endpointSlices, endpoints, pods, services } from '../../api/kinds.ts'
import type { Pod, Service, Stored } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startEndpointSliceController, startEndpointsController } from './endpoints-controller.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const open = async () => {
  bench = await openControllerBench({ start: (parts) => [startEndpointSliceController(parts), startEndpointsController(parts)] })
}

const labels = { app: 'web' }

const createService = (spec: object = {}, name = 'web') =>
  bench.client.create(services, 'default', {
    metadata: { name, labels: { team: 'a' } },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
  } as Service)

let addresses = 0

/** A pod with an address, ready or not. */
async function createPod(name: string, isReady: boolean, containerPort = 8080): Promise<Stored<Pod>> {
  const pod = await bench.client.create(pods, 'default', {
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ name: 'http', containerPort }] }] },
  } as Pod)
  await bench.report(pod, isReady ? 'ready' : 'running', 'node-1')
  const reported = await bench.client.get(pods, { namespace: 'default', name })
  addresses++
  const podIP = `10.1.0.${addresses}`
  return bench.client.updateStatus(pods, { ...reported, status: { ...reported.status, podIP, podIPs: [{ ip: podIP }] } } as never)
}

const slicesOf = async (name = 'web') => {
  await bench.settle()
  const { items } = await bench.client.list(endpointSlices, { namespace: 'default' })
  return items.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
}
const endpointsOf = (name = 'web') => bench.client.get(endpoints, { namespace: 'default', name })

describe('startEndpointSliceController()', () => {
  it('lists ready and unready pods with their node and resolved port', async () => {
    await open()
    await createService()
    const ready = await createPod('a', true)
    await createPod('b', false)
    const [slice, ...others] = await slicesOf()
    expect(others).toEqual([])
    expect(slice).toMatchObject({
      metadata: {
        generateName: 'web-',
        labels: {
          team: 'a',
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true, blockOwnerDeletion: true }],
      },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    })
    expect(slice!.endpoints).toEqual([
      {
        addresses: [ready.status!.podIP],
        conditions: { ready: true, serving: true, terminating: false },
        targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: ready.metadata.uid },
        nodeName: 'node-1',
      },
      expect.objectContaining({ conditions: { ready: false, serving: false, terminating: false } }),
    ])
    expect(bench.failures).toEqual([])
  })

  it('has a slice for each set of ports, and an empty one when there are no pods', async () => {
    await open()
    await createService()
    expect(await slicesOf()).toMatchObject([{ endpoints: null, ports: null }])
    await createPod('a', true)
    await createPod('b', true, 9090)
    const ports = (await slicesOf()).map((slice) => slice.ports?.[0]?.port)
    expect(ports.sort()).toEqual([8080, 9090])
    await bench.client.delete(pods, { namespace: 'default', name: 'b' }, { gracePeriodSeconds: 0 })
    expect((await slicesOf()).map((slice) => slice.ports?.[0]?.port)).toEqual([8080])
  })

  it('keeps a terminating pod as serving and not ready', async () => {
    await open()
    await createService()
    await createPod('a', true)
    await bench.client.delete(pods, { namespace: 'default', name: 'a' })
    const [slice] = await slicesOf()
    expect(slice!.endpoints).toMatchObject([{ conditions: { ready: false, serving: true, terminating: true } }])
  })

  it('restores a slice that another client has deleted', async () => {
    await open()
    await createService()
    await createPod('a', true)
    const [slice] = await slicesOf()
    await bench.client.delete(endpointSlices, { namespace: 'default', name: slice!.metadata.name })
    expect(await slicesOf()).toMatchObject([{ endpoints: [{ targetRef: { name: 'a' } }] }])
  })

  it('leaves a Service without a selector alone', async () => {
    await open()
    await createService({ selector: {} })
    expect(await slicesOf()).toEqual([])
    await expect(endpointsOf()).rejects.toMatchObject({ status: { reason: 'NotFound' } })
  })
})

describe('startEndpointsController()', () => {
  it('separates ready from unready addresses', async () => {
    await open()
    await createService({ clusterIP: 'None' })
    const ready = await createPod('a', true)
    const other = await createPod('b', false)
    await bench.settle()
    expect(await endpointsOf()).toMatchObject({
      metadata: {
        labels: { team: 'a', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller', 'service.kubernetes.io/headless': '' },
      },
      subsets: [
        {
          addresses: [{ ip: ready.status!.podIP, nodeName: 'node-1', targetRef: { name: 'a' } }],
          notReadyAddresses: [{ ip: other.status!.podIP, targetRef: { name: 'b' } }],
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      ],
    })
  })

  it('restores Endpoints that another client has deleted', async () => {
    await open()
    await createService()
    await createPod('a', true)
    await bench.settle()
    await bench.client.delete(endpoints, { namespace: 'default', name: 'web' })
    await bench.settle()
    expect(await endpointsOf()).toMatchObject({ subsets: [{ addresses: [{ targetRef: { name: 'a' } }] }] })
  })

  it('deletes the Endpoints of a deleted Service', async () => {
    await open()
    await createService()
    await createPod('a', true)
    await bench.settle()
    await endpointsOf()
    await bench.client.delete(services, { namespace: 'default', name: 'web' })
    await bench.settle()
    await expect(endpointsOf()).rejects.toMatchObject({ status: { reason: 'NotFound' } })
    expect(bench.failures).toEqual([])
  })
})
