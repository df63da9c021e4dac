import { expect, it } from 'vitest'
import { customResourceDefinitions, deployments, ingresses, nodes, replicationControllers, services } from '../../api/kinds.ts'
import { registryKeyOf } from './registry-key.ts'

it.each([
  [deployments, 'default', '/registry/deployments/default/a'],
  [services, 'default', '/registry/services/specs/default/a'],
  [replicationControllers, 'default', '/registry/controllers/default/a'],
  [ingresses, 'default', '/registry/ingress/default/a'],
  [nodes, '', '/registry/minions/a'],
  [customResourceDefinitions, '', '/registry/apiextensions.k8s.io/customresourcedefinitions/a'],
])('$kind', (kind, namespace, key) => {
  expect(registryKeyOf(kind, namespace, 'a')).toBe(key)
})
