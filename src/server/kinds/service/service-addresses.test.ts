import { describe, expect, it } from 'vitest'
import { namespaces, services } from '../../../api/kinds.ts'
import type { Service } from '../../../api/types.ts'
import { seededRandom } from '../../../base/random.ts'
import { openMemoryStore } from '../../../store/memory-store.ts'
import { createRest } from '../../rest/create-rest.ts'
import { ParsedObjects } from '../../rest/parsed-objects.ts'
import { input } from '../../rest/testing/rest-bench.ts'
import type { Write } from '../../rest/write-steps.ts'
import { serviceBehavior } from './behavior.ts'

const options = { caller: { name: 'me', groups: ['system:masters'] }, manager: 'test' }
const kind = services

async function open() {
  const rest = createRest({ store: openMemoryStore(), random: seededRandom(1) })
  await rest.create(namespaces, '', { object: { metadata: { name: 'default' } } }, options)
  const create = async (name: string, spec: object) => {
    const object = { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }
    return (await rest.create(kind, 'default', { object }, options)).response.object as Service
  }
  return { rest, create }
}

describe('ServiceAddresses', () => {
  it('gives every Service an address of its own', async () => {
    const { create } = await open()
    const one = await create('one', {})
    const two = await create('two', {})
    expect(one.spec).toMatchObject({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack', clusterIPs: [one.spec?.clusterIP] })
    expect(one.spec?.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\./)
    expect(two.spec?.clusterIP).not.toBe(one.spec?.clusterIP)
  })

  it.each([
    ['a headless one without a selector has both families', { clusterIP: 'None' }, ['IPv4', 'IPv6'], 'RequireDualStack'],
    ['the first family stays the first', { clusterIP: 'None', ipFamilies: ['IPv6'] }, ['IPv6', 'IPv4'], 'RequireDualStack'],
    ['a headless one with a selector has one', { clusterIP: 'None', selector: { a: 'b' } }, ['IPv4'], 'SingleStack'],
    ['one may be asked for', { clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }, ['IPv4'], 'SingleStack'],
  ])('chooses families: %s', async (_name, spec, ipFamilies, ipFamilyPolicy) => {
    const { create } = await open()
    expect((await create('one', spec)).spec).toMatchObject({ ipFamilies, ipFamilyPolicy })
  })

  it('refuses two families of a Service with a single stack', async () => {
    const { create } = await open()
    await expect(create('one', { ipFamilies: ['IPv4', 'IPv6'] })).rejects.toThrow(
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    )
  })

  it('refuses more node ports than there are', async () => {
    const { create } = await open()
    const ports = Array.from({ length: 2769 }, (_, index) => ({ name: `p${index}`, port: index + 1 }))
    await expect(create('one', { type: 'NodePort', ports })).rejects.toThrow('range is full')
  })

  it('allocates again where an address was taken while webhooks were asked, unless it was requested', async () => {
    const store = openMemoryStore()
    const rest = createRest({ store, random: seededRandom(1) })
    await rest.create(namespaces, '', { object: { metadata: { name: 'default' } } }, options)
    const { allocate } = serviceBehavior.define({ storage: { store, parsed: new ParsedObjects(10) }, random: seededRandom(2) } as never)
    const begin = (name: string, spec: object) => {
      const write = {
        next: { metadata: { name, namespace: 'default' }, spec },
        current: undefined,
        subresource: undefined,
      } as unknown as Write
      allocate!(write)
      return write
    }
    const addressOf = ({ next }: Write) => (next as Service).spec?.clusterIP
    const take = (name: string, clusterIP: string | undefined) =>
      rest.create(kind, 'default', { object: { metadata: { name }, spec: { ports: [{ port: 80 }], clusterIP } } }, options)

    const chosen = begin('chosen', {})
    const before = addressOf(chosen)
    await take('quicker', before)
    chosen.allocateAgain!()
    expect(addressOf(chosen)).toMatch(/^10\./)
    expect(addressOf(chosen)).not.toBe(before)

    const requested = begin('requested', { clusterIP: '10.96.1.1', clusterIPs: ['10.96.1.1'] })
    await take('quicker-too', '10.96.1.1')
    expect(() => requested.allocateAgain!()).toThrow('provided IP is already allocated')
  })

  it('gives node ports to those that need them, and none to the others', async () => {
    const { create } = await open()
    const ports = async (name: string, spec: object) => (await create(name, spec)).spec?.ports?.map(({ nodePort }) => nodePort)
    const [port] = (await ports('node', { type: 'NodePort' }))!
    expect(port).toBeGreaterThanOrEqual(30_000)
    expect(port).toBeLessThanOrEqual(32_767)
    expect(await ports('plain', {})).toEqual([undefined])
    expect(await ports('chosen', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] })).toEqual([30_123])
  })

  it('gives one node port to ports of a new Service that differ in the protocol only', async () => {
    const { create } = await open()
    const ports = ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol }))
    const [tcp, udp] = (await create('dns', { type: 'NodePort', ports })).spec?.ports ?? []
    expect(tcp?.nodePort).toBeGreaterThanOrEqual(30_000)
    expect(udp?.nodePort).toBe(tcp?.nodePort)
  })

  it.each([
    [
      'addresses before anything else',
      { ipFamilies: ['IPv6'], ports: [{ port: 0 }] },
      'Service "one" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
    [
      'addresses that do not belong together',
      { clusterIPs: ['10.96.0.9'], ports: [{ port: 0 }] },
      'Service "one" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.9"]: must be empty when `clusterIP` is not specified',
    ],
    [
      'an address of a family that the cluster has not',
      { clusterIP: 'fd00::1' },
      'Service "one" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ],
    [
      'a port for health checks that is out of range',
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 5 },
      'failed to allocate requested HealthCheck NodePort 5: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
    [
      'a node port twice',
      {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 80, nodePort: 30_001 },
          { name: 'b', port: 81, nodePort: 30_001 },
        ],
      },
      'Service "one" is invalid: spec.ports[1].nodePort: Invalid value: 30001: provided port is already allocated',
    ],
  ])('refuses %s', async (_name, spec, message) => {
    const { create } = await open()
    await expect(create('one', spec)).rejects.toThrow(message)
  })

  it('keeps no traffic policy of a Service without an address', async () => {
    const { create } = await open()
    const { spec } = await create('one', { type: 'ExternalName', externalName: 'a.example.com', internalTrafficPolicy: 'Local' })
    expect(spec).not.toHaveProperty('internalTrafficPolicy')
  })

  it('gives a port for health checks to those that need one, and keeps it', async () => {
    const { rest, create } = await open()
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
    const port = (await create('one', local)).spec?.healthCheckNodePort
    expect(port).toBeGreaterThanOrEqual(30_000)
    expect((await create('two', { type: 'LoadBalancer' })).spec?.healthCheckNodePort).toBeUndefined()
    const object = { metadata: { name: 'one' }, spec: { ports: [{ port: 81 }], ...local } }
    const { response: answer } = await rest.update(kind, 'default', 'one', undefined, { object }, options)
    expect(answer.object).toMatchObject({ spec: { healthCheckNodePort: port } })
    await expect(create('three', { ...local, healthCheckNodePort: port })).rejects.toMatchObject({
      status: {
        code: 500,
        message: `Internal error occurred: failed to allocate requested HealthCheck NodePort ${port}: provided port is already allocated`,
      },
    })
  })

  it('writes what it assigns in the order of the fields', async () => {
    const { create } = await open()
    expect(Object.keys((await create('one', {})).spec ?? {})).toEqual([
      'ports',
      'clusterIP',
      'clusterIPs',
      'type',
      'sessionAffinity',
      'ipFamilies',
      'ipFamilyPolicy',
      'internalTrafficPolicy',
    ])
  })

  it('leaves headless and external Services without an address', async () => {
    const { create } = await open()
    expect((await create('headless', { clusterIP: 'None' })).spec?.clusterIPs).toEqual(['None'])
    expect((await create('external', { type: 'ExternalName', externalName: 'example.com' })).spec?.clusterIP).toBeUndefined()
  })

  it('refuses an address of another Service until that one is deleted', async () => {
    const { rest, create } = await open()
    const { spec } = await create('first', { type: 'NodePort' })
    const wanted = { type: 'NodePort', clusterIP: spec?.clusterIP, ports: [{ port: 80, nodePort: spec?.ports?.[0]?.nodePort }] }
    await expect(create('second', wanted)).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining('provided IP is already allocated'),
    })
    await rest.delete(kind, 'default', 'first', options)
    expect((await create('second', wanted)).spec?.clusterIP).toBe(spec?.clusterIP)
  })

  it('gives back the ports of a Service that becomes internal and loses some of its ports', async () => {
    const { rest, create } = await open()
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ]
    await create('first', { type: 'NodePort', ports })
    const change = (spec: object) => rest.patch(kind, 'default', 'first', undefined, 'strategic', input({ spec }), options)
    const { response } = await change({ type: 'ClusterIP', ports: [{ port: 81, $patch: 'delete' }] })
    expect((response.object as Service).spec?.ports).toEqual([{ name: 'a', protocol: 'TCP', port: 80, targetPort: 80 }])
  })

  it('keeps the addresses of a Service that is updated', async () => {
    const { rest, create } = await open()
    const first = await create('first', { type: 'NodePort' })
    const { response: answer } = await rest.patch(
      kind,
      'default',
      'first',
      undefined,
      'merge',
      { object: { spec: { selector: { app: 'x' } } } },
      options,
    )
    expect((answer.object as Service).spec).toMatchObject({ clusterIP: first.spec?.clusterIP, ports: first.spec?.ports })
  })

  it('refuses IPv6, which the cluster does not have', async () => {
    const { create } = await open()
    await expect(create('both', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] })).rejects.toMatchObject({
      status: {
        message:
          'Service "both" is invalid: [spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services, spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster]',
      },
    })
    expect((await create('preferred', { ipFamilyPolicy: 'PreferDualStack' })).spec?.ipFamilies).toEqual(['IPv4'])
    expect((await create('headless', { clusterIP: 'None', ipFamilies: ['IPv6'] })).spec?.ipFamilies).toEqual(['IPv6', 'IPv4'])
  })
})
