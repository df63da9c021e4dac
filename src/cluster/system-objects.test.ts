import { beforeEach, describe, expect, it } from 'vitest'
import { kinds, services } from '../api/kinds.ts'
import type { Client } from '../client/client.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { createInProcessClient } from './in-process-client.ts'
import { applyServicePort, applySystemObjects } from './system-objects.ts'

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

  it('leaves the ports that somebody has added', async () => {
    const added = { name: 'more', protocol: 'TCP', port: 80, targetPort: 8080 } as const
    await client.patch(services, kubernetes, 'strategic', { spec: { ports: [added] } })
    await applyServicePort(client, 40123)
    expect(await portsOf()).toEqual(expect.arrayContaining([added, expect.objectContaining({ port: 443, targetPort: 40123 })]))
  })
})
