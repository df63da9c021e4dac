import { beforeEach, describe, expect, it } from 'vitest'
import { endpointSlices, endpoints, kinds, services } from '../api/kinds.ts'
import type { Client } from '../client/client.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { createInProcessClient } from './in-process-client.ts'
import { applyServerEndpoints, applyServicePort, applySystemObjects } from './system-objects.ts'

const kubernetes = { namespace: 'default', name: 'kubernetes' }

describe('applyServicePort()', () => {
  let client: Client
  const portsOf = async () => (await client.get(services, kubernetes)).spec?.ports

  beforeEach(async () => {
    client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await applySystemObjects(client, 6443)
  })

  it('leads to the port at which the server listens', async () => {
    await applyServicePort(client, 40123)
    expect(await portsOf()).toEqual([{ name: 'https', protocol: 'TCP', port: 443, targetPort: 40123 }])
  })

  it('writes nothing where that is so', async () => {
    const { resourceVersion } = (await client.get(services, kubernetes)).metadata
    await applyServicePort(client, 6443)
    expect((await client.get(services, kubernetes)).metadata.resourceVersion).toBe(resourceVersion)
  })

  it('keeps ports that a user has added', async () => {
    const added = { name: 'more', protocol: 'TCP', port: 80, targetPort: 8080 } as const
    await client.patch(services, kubernetes, 'strategic', { spec: { ports: [added] } })
    await applyServicePort(client, 40123)
    expect(await portsOf()).toEqual(expect.arrayContaining([added, expect.objectContaining({ port: 443, targetPort: 40123 })]))
  })
})

describe('applyServerEndpoints()', () => {
  let client: Client
  beforeEach(async () => {
    client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await applySystemObjects(client, 6443)
  })

  it('names the address of the server, and follows its port', async () => {
    await applyServerEndpoints(client, '192.0.2.1', 6443)
    await applyServerEndpoints(client, '192.0.2.1', 40123)
    expect(await client.get(endpoints, kubernetes)).toMatchObject({
      metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'https', port: 40123, protocol: 'TCP' }] }],
    })
    expect(await client.get(endpointSlices, kubernetes)).toMatchObject({
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
      ports: [{ name: 'https', port: 40123, protocol: 'TCP' }],
    })
  })

  it('writes nothing without an address beyond loopback', async () => {
    await applyServerEndpoints(client, undefined, 6443)
    await expect(client.get(endpoints, kubernetes)).rejects.toMatchObject({ status: { reason: 'NotFound' } })
  })
})
