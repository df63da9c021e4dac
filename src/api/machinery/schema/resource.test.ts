import { describe, expect, it } from 'vitest'
import { resource } from './resource.ts'

describe('resource()', () => {
  it('reads the names, the categories and the subresources of a kind', () => {
    const verbs = ['get', 'patch', 'update']
    expect(resource('apps.Deployment')).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      type: 'apps.Deployment',
      subresources: [
        { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs },
        { name: 'status', kind: 'Deployment', verbs },
      ],
    })
  })

  it('has verbs only where some are missing', () => {
    expect(resource('core.Binding')).toEqual({
      group: '',
      version: 'v1',
      kind: 'Binding',
      plural: 'bindings',
      namespaced: true,
      verbs: ['create'],
      type: 'core.Binding',
    })
  })

  it('refuses a struct that no resource has', () => {
    expect(() => resource('core.Container')).toThrow('Cannot find the resource of "core.Container"')
  })
})
