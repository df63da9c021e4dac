import { describe, expect, it } from 'vitest'
import { kinds } from '../../api/kinds.ts'
import type { StatusError } from '../../api/machinery/status-error.ts'
import { createRoutes } from '../http/route.ts'
import { authorize } from './authorization.ts'

const routes = createRoutes(kinds)
const bob = { name: 'bob', groups: ['system:authenticated'] }
const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
const refusal = (caller: typeof bob, method: string, path: string, isWatch = false): string | undefined => {
  try {
    authorize(caller, routes(path), path, method, isWatch)
    return undefined
  } catch (error) {
    return (error as StatusError).status.message
  }
}

describe('authorize()', () => {
  it.each([
    [
      'a list',
      'GET',
      '/api/v1/namespaces/a/pods',
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a"',
    ],
    [
      'a list of everything',
      'GET',
      '/api/v1/pods',
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'an update',
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/x',
      'deployments.apps "x" is forbidden: User "bob" cannot update resource "deployments" in API group "apps" in the namespace "a"',
    ],
    [
      'a subresource',
      'GET',
      '/api/v1/namespaces/a/pods/x/log',
      'pods "x" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "a"',
    ],
    [
      'the deletion of many',
      'DELETE',
      '/api/v1/namespaces/a/pods',
      'pods is forbidden: User "bob" cannot deletecollection resource "pods" in API group "" in the namespace "a"',
    ],
    [
      'a question about others',
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      'subjectaccessreviews.authorization.k8s.io is forbidden: User "bob" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
    ],
    [
      'a namespace',
      'GET',
      '/api/v1/namespaces/a',
      'namespaces "a" is forbidden: User "bob" cannot get resource "namespaces" in API group "" in the namespace "a"',
    ],
    ['a path', 'GET', '/metrics', 'forbidden: User "bob" cannot get path "/metrics"'],
  ])('refuses %s without system:masters', (_what, method, path, message) => {
    expect(refusal(bob, method, path)).toBe(message)
    expect(refusal({ ...bob, groups: ['system:masters'] }, method, path)).toBeUndefined()
  })

  it('distinguishes a watch from a list', () => {
    expect(refusal(bob, 'GET', '/api/v1/pods', true)).toContain('cannot watch resource "pods"')
  })

  it.each(['/apis', '/api/v1', '/openapi/v3/apis/apps/v1', '/version', '/readyz'])('lets everybody with a name look at %s', (path) => {
    expect(refusal(bob, 'GET', path)).toBeUndefined()
  })

  it('lets everybody with a name ask about themselves', () => {
    expect(refusal(bob, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')).toBeUndefined()
  })

  it('allows anonymous callers only health and version', () => {
    expect(['/healthz', '/version', '/apis'].map((path) => refusal(nobody, 'GET', path))).toEqual([
      undefined,
      undefined,
      'forbidden: User "system:anonymous" cannot get path "/apis"',
    ])
  })
})
