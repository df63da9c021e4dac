import { describe, expect, it } from 'vitest'
import { invalidNamespaceMessage, isNamedBy } from './references.ts'

const deployment = {
  resource: { group: 'apps', version: 'v1', kind: 'Deployment', namespaced: true },
  metadata: { name: 'web', namespace: 'shop' },
}
const node = { resource: { group: '', version: 'v1', kind: 'Node', namespaced: false }, metadata: { name: 'a' } }
const toDeployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u' }
const toNode = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'u' }
const inNamespace = (namespace?: string) => ({ metadata: { name: 'item', ...(namespace !== undefined && { namespace }) } })

describe('isNamedBy()', () => {
  it.each([
    ['the owner itself', deployment, toDeployment, 'shop', true],
    ['another kind', deployment, { ...toDeployment, kind: 'ReplicaSet' }, 'shop', false],
    ['another group', deployment, { ...toDeployment, apiVersion: 'v1' }, 'shop', false],
    ['another version', deployment, { ...toDeployment, apiVersion: 'apps/v1beta1' }, 'shop', false],
    ['another name', deployment, { ...toDeployment, name: 'api' }, 'shop', false],
    ['an owner in another namespace', deployment, toDeployment, 'bank', false],
    ['an owner in a namespace, of an object without one', deployment, toDeployment, undefined, false],
    ['an owner without a namespace', node, toNode, 'shop', true],
  ])('%s', (_, owner, reference, namespace, expected) => {
    expect(isNamedBy(owner, reference, inNamespace(namespace))).toBe(expected)
  })
})

describe('invalidNamespaceMessage()', () => {
  it('names the reference as if its owner were in the namespace of the item', () => {
    expect(invalidNamespaceMessage(toDeployment, 'bank')).toBe(
      'ownerRef [apps/v1/Deployment, namespace: bank, name: web, uid: u] does not exist in namespace "bank"',
    )
  })
})
