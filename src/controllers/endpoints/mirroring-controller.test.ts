import { afterEach, describe, expect, it } from 'vitest'
import { endpointSlices, endpoints, services } from '../../api/kinds.ts'
import type { Endpoints, Service } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startEndpointSliceMirroringController } from './mirroring-controller.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const createService = (spec: object = {}) =>
  bench.client.create(services, 'default', { metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }], ...spec } } as Service)
const createEndpoints = (ips: readonly string[], labels: Record<string, string> = {}) =>
  bench.client.create(endpoints, 'default', {
    metadata: { name: 'db', labels },
    subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ name: 'pg', port: 5432 }] }],
  } as Endpoints)
const slices = async () => {
  await bench.settle()
  return (await bench.client.list(endpointSlices, { namespace: 'default' })).items
}

describe('startEndpointSliceMirroringController()', () => {
  it('mirrors Endpoints of a Service without a selector, and follows them', async () => {
    bench = await openControllerBench({ start: (parts) => [startEndpointSliceMirroringController(parts)] })
    const made = await createEndpoints(['10.9.0.1', 'fd00::1'], { team: 'a' })
    expect(await slices()).toEqual([])
    await createService()
    const [first, second] = await slices()
    expect([first, second].map((one) => one?.addressType).sort()).toEqual(['IPv4', 'IPv6'])
    expect([first, second].find((one) => one?.addressType === 'IPv4')).toMatchObject({
      metadata: {
        labels: {
          team: 'a',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
          'kubernetes.io/service-name': 'db',
        },
        ownerReferences: [{ kind: 'Endpoints', name: 'db', uid: made.metadata.uid }],
      },
      endpoints: [{ addresses: ['10.9.0.1'], conditions: { ready: true } }],
      ports: [{ name: 'pg', port: 5432, protocol: 'TCP' }],
    })
    const current = await bench.client.get(endpoints, { namespace: 'default', name: 'db' })
    const subsets = [{ notReadyAddresses: [{ ip: '10.9.0.2' }], ports: [{ name: 'pg', port: 5432 }] }]
    await bench.client.update(endpoints, { ...current, subsets } as typeof current)
    expect(await slices()).toMatchObject([{ addressType: 'IPv4', endpoints: [{ addresses: ['10.9.0.2'], conditions: { ready: false } }] }])
  })

  it('keeps the slice of a subset without ports', async () => {
    bench = await openControllerBench({ start: (parts) => [startEndpointSliceMirroringController(parts)] })
    await createService()
    const made = await bench.client.create(endpoints, 'default', {
      metadata: { name: 'db' },
      subsets: [{ addresses: [{ ip: '10.9.0.1' }] }],
    } as Endpoints)
    const [first] = await slices()
    expect(first).toMatchObject({ ports: null, endpoints: [{ addresses: ['10.9.0.1'] }] })
    await bench.client.update(endpoints, { ...made, subsets: [{ addresses: [{ ip: '10.9.0.2' }] }] } as typeof made)
    expect(await slices()).toMatchObject([{ metadata: { uid: first!.metadata.uid }, endpoints: [{ addresses: ['10.9.0.2'] }] }])
  })

  it.each([
    ['a Service with a selector', { selector: { app: 'x' } }, {}],
    ['the label that says so', {}, { 'endpointslice.kubernetes.io/skip-mirror': 'true' }],
  ])('mirrors nothing for %s', async (_, spec, labels) => {
    bench = await openControllerBench({ start: (parts) => [startEndpointSliceMirroringController(parts)] })
    await createService(spec)
    await createEndpoints(['10.9.0.1'], labels as Record<string, string>)
    expect(await slices()).toEqual([])
  })

  it('mirrors 1,000 addresses of a subset, and reports the others', async () => {
    bench = await openControllerBench({ start: (parts) => [startEndpointSliceMirroringController(parts)] })
    await createService()
    await createEndpoints(Array.from({ length: 1003 }, (_, index) => `10.9.${index >> 8}.${index & 255}`))
    const [slice] = await slices()
    expect(slice?.endpoints).toHaveLength(1000)
    expect(await bench.events()).toEqual([
      'TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped',
    ])
  })
})
