import { describe, expect, it } from 'vitest'
import { kinds } from '../api/kinds.ts'
import { createDiscovery } from './discovery.ts'

const discovery = createDiscovery(kinds, '127.0.0.1:6443')
interface Document {
  readonly [key: string]: unknown
  readonly resources?: readonly Record<string, unknown>[]
  readonly items?: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly { readonly resources: readonly Record<string, unknown>[] }[]
  }[]
}
const read = (path: string, aggregated = false) => JSON.parse(discovery.find(path, aggregated)?.json ?? 'null') as Document
const every = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

describe('createDiscovery()', () => {
  it('lists the versions of the oldest group, and the other groups with their preferred version', () => {
    expect(read('/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    })
    const { groups } = read('/apis') as unknown as { groups: { name: string }[] }
    expect(groups[1]).toEqual({
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    })
    // As Kubernetes orders them.
    expect(groups.map(({ name }) => name)).toEqual(
      [
        ...['apiregistration.k8s.io', 'apps', 'events.k8s.io', 'authentication.k8s.io', 'authorization.k8s.io', 'autoscaling', 'batch'],
        ...['certificates.k8s.io', 'networking.k8s.io', 'policy', 'rbac.authorization.k8s.io', 'storage.k8s.io'],
        ...['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'scheduling.k8s.io', 'coordination.k8s.io', 'node.k8s.io'],
        ...['discovery.k8s.io', 'resource.k8s.io', 'flowcontrol.apiserver.k8s.io', 'storagemigration.k8s.io', 'metrics.k8s.io'],
      ].filter((name) => kinds.some(({ group }) => group === name)),
    )
    expect(groups.find(({ name }) => name === 'autoscaling')).toEqual({
      name: 'autoscaling',
      versions: [
        { groupVersion: 'autoscaling/v2', version: 'v2' },
        { groupVersion: 'autoscaling/v1', version: 'v1' },
      ],
      preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
    })
    expect(read('/apis/apps')).toMatchObject({ kind: 'APIGroup', apiVersion: 'v1', name: 'apps' })
  })

  it('lists resources as Kubernetes does', () => {
    const core = read('/api/v1')
    expect(core).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' })
    expect(core).not.toHaveProperty('apiVersion')
    expect(core.resources?.find(({ name }) => name === 'pods')).toEqual({
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: every,
      shortNames: ['po'],
      categories: ['all'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    })
    expect(core.resources?.find(({ name }) => name === 'pods/status')).toEqual({
      name: 'pods/status',
      singularName: '',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get', 'patch', 'update'],
    })
    const names = core.resources?.map(({ name }) => name) as string[]
    expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)))
    expect(read('/apis/apps/v1')).toMatchObject({ apiVersion: 'v1', groupVersion: 'apps/v1' })
    expect(read('/apis/apps/v1/').resources?.[0]).toMatchObject({ storageVersionHash: '85nkx63pcBU=' })
  })

  it('names the group and version of a subresource of another group', () => {
    const { resources } = JSON.parse(discovery.find('/apis/apps/v1', false)!.json) as { resources: { name: string }[] }
    expect(resources.find(({ name }) => name === 'deployments/scale')).toEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    })
    const aggregated = JSON.parse(discovery.find('/apis', true)!.json) as Document
    expect(aggregated.items?.[1]?.versions[0]?.resources.find(({ resource }) => resource === 'deployments')).toEqual({
      resource: 'deployments',
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      verbs: every,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
        { subresource: 'status', responseKind: { group: '', version: '', kind: 'Deployment' }, verbs: ['get', 'patch', 'update'] },
      ],
    })
  })

  it('aggregates the oldest group at /api and the others at /apis', () => {
    expect(read('/api', true).items?.map(({ metadata }) => metadata)).toEqual([{}])
    expect(read('/apis', true)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} })
    expect(read('/apis', true).items?.map(({ metadata }) => metadata.name)).not.toContain(undefined)
    expect(read('/api/v1', true)).toEqual(read('/api/v1'))
  })

  it('gives each document a hash, and has none for other paths', () => {
    expect(discovery.find('/api', false)?.hash).toMatch(/^[0-9A-F]{64}$/)
    expect(discovery.find('/api', false)?.hash).not.toBe(discovery.find('/apis', false)?.hash)
    expect(discovery.find('/apis/apps/v2', false)).toBeUndefined()
    expect(discovery.find('/apis/none', true)).toBeUndefined()
  })
})
