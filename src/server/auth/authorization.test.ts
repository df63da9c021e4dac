import { describe, expect, it } from 'vitest'
import type { StatusError } from '../../api/machinery/status-error.ts'
import { Query } from '../http/query.ts'
import { requireAllowed } from './authorization.ts'
import { createAuthorizer } from './authorizer.ts'
import { requestAttributes } from './request-attributes.ts'
import type { RoleReader } from './rule-resolver.ts'

const bob = { name: 'bob', groups: ['system:authenticated'] }
const noRoles: RoleReader = { clusterRoleBindings: () => [], roleBindings: () => [], clusterRole: () => undefined, role: () => undefined }
const refusal = (reader: RoleReader, caller: typeof bob, method: string, target: string): string | undefined => {
  const [path = '', query = ''] = target.split('?')
  try {
    requireAllowed(
      createAuthorizer(reader, () => {}),
      caller,
      requestAttributes(path, method, new Query(query)),
    )
    return undefined
  } catch (error) {
    return (error as StatusError).status.message
  }
}

describe('requireAllowed()', () => {
  it.each([
    ['GET', '/api/v1/namespaces/a/pods', 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a"'],
    ['GET', '/api/v1/pods', 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope'],
    ['GET', '/api/v1/pods?watch=1', 'pods is forbidden: User "bob" cannot watch resource "pods" in API group "" at the cluster scope'],
    ['GET', '/api/v1/watch/pods', 'pods is forbidden: User "bob" cannot watch resource "pods" in API group "" at the cluster scope'],
    [
      'GET',
      '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx',
      'pods "x" is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a"',
    ],
    [
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/x',
      'deployments.apps "x" is forbidden: User "bob" cannot update resource "deployments" in API group "apps" in the namespace "a"',
    ],
    [
      'GET',
      '/api/v1/namespaces/a/pods/x/log',
      'pods "x" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "a"',
    ],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods',
      'pods is forbidden: User "bob" cannot deletecollection resource "pods" in API group "" in the namespace "a"',
    ],
    [
      'GET',
      '/api/v1/namespaces/a',
      'namespaces "a" is forbidden: User "bob" cannot get resource "namespaces" in API group "" in the namespace "a"',
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      'namespaces "a" is forbidden: User "bob" cannot update resource "namespaces/finalize" in API group "" in the namespace "a"',
    ],
    [
      'GET',
      '/apis/unknown.io/v1/namespaces/a/things/x',
      'things.unknown.io "x" is forbidden: User "bob" cannot get resource "things" in API group "unknown.io" in the namespace "a"',
    ],
    ['GET', '/metrics', 'forbidden: User "bob" cannot get path "/metrics"'],
    ['GET', '/apis/apps/v1', 'forbidden: User "bob" cannot get path "/apis/apps/v1"'],
    ['OPTIONS', '/', 'forbidden: User "bob" cannot options path "/"'],
  ])('refuses %s %s without a rule, and allows it to system:masters', (method, target, message) => {
    expect(refusal(noRoles, bob, method, target)).toBe(message)
    expect(refusal(noRoles, { ...bob, groups: ['system:masters'] }, method, target)).toBeUndefined()
  })

  it('names the roles that bindings grant and that do not exist', () => {
    const roleRef = (name: string) => ({ apiGroup: '', kind: 'ClusterRole', name })
    const subjects = [{ kind: 'User', name: 'bob' }]
    const reader = {
      ...noRoles,
      clusterRoleBindings: () => ['a', 'b'].map((name) => ({ metadata: { name }, roleRef: roleRef(name), subjects })),
    }
    expect(refusal(reader, bob, 'GET', '/api/v1/nodes')).toMatch(
      /: RBAC: \[clusterrole.rbac.authorization.k8s.io "a" not found, clusterrole.rbac.authorization.k8s.io "b" not found\]$/,
    )
  })
})
