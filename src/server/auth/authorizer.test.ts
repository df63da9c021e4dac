import { type Arbitrary, array, assert, boolean, constantFrom, oneof, property, record, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClusterRoleBinding, PolicyRule, RoleBinding } from '../../api/types.ts'
import { createAuthorizer } from './authorizer.ts'
import { compactRules, findUncovered, formatRule, isAllowedBy, type RequestAttributes } from './policy-rules.ts'
import type { RoleReader } from './rule-resolver.ts'

// Few values, so that rules and requests often meet.
const verbs = constantFrom('get', 'list', 'create', '*')
const groups = constantFrom('', 'apps', '*')
const resources = constantFrom('pods', 'pods/log', 'deployments', 'deployments/status', '*/log', '*')
const names = constantFrom('a', 'b')
const urls = constantFrom('/healthz', '/healthz/*', '/api/*', '*')
const some = <T>(values: Arbitrary<T>) => uniqueArray(values, { minLength: 1, maxLength: 3 })
const resourceRule = record({
  verbs: some(verbs),
  apiGroups: some(groups),
  resources: some(resources),
  resourceNames: uniqueArray(names, { maxLength: 1 }),
})
const urlRule = record({ verbs: some(verbs), nonResourceURLs: some(urls) })
const rules = array(oneof(resourceRule, urlRule) as never as Arbitrary<PolicyRule>, { minLength: 1, maxLength: 4 })
const namespaces = constantFrom('one', 'two')
const roleNames = constantFrom('r', 's', 'missing')
const subject = oneof(
  record({ kind: constantFrom('User', 'Group'), name: constantFrom('bob', 'dev', 'system:serviceaccount:one:bot') }),
  record({ kind: constantFrom('ServiceAccount'), name: constantFrom('bot', 'bob'), namespace: constantFrom('one', 'two', '') }),
)
const cluster = record({
  clusterRoles: record({ r: rules, s: rules }),
  roles: record({ one: record({ r: rules, s: rules }), two: record({ r: rules, s: rules }) }),
  clusterBindings: array(record({ role: roleNames, subjects: array(subject, { maxLength: 3 }) }), { maxLength: 3 }),
  bindings: array(record({ namespace: namespaces, isLocal: boolean(), role: roleNames, subjects: array(subject, { maxLength: 2 }) }), {
    maxLength: 4,
  }),
})
const user = oneof(
  record({ name: constantFrom('bob', 'eve'), groups: some(constantFrom('dev', 'ops')) }),
  record({ name: constantFrom('system:serviceaccount:one:bot'), groups: constantFrom(['system:serviceaccounts']) }),
)
const request = oneof(
  record({
    verb: constantFrom('get', 'list', 'delete'),
    group: constantFrom('', 'apps', 'batch'),
    resource: constantFrom('pods', 'deployments'),
    subresource: constantFrom('', 'log', 'status'),
    namespace: constantFrom('', 'one', 'two'),
    name: constantFrom('', 'a', 'c'),
  }),
  record({ verb: constantFrom('get', 'post'), path: constantFrom('/healthz', '/healthz/ping', '/api/v1', '/metrics') }),
) as never as Arbitrary<RequestAttributes>

type Cluster = typeof cluster extends Arbitrary<infer V> ? V : never

function readerOf({ clusterRoles, roles, clusterBindings, bindings }: Cluster): RoleReader {
  const binding = (kind: string, name: string, subjects: unknown) => ({ roleRef: { apiGroup: '', kind, name }, subjects })
  return {
    clusterRoleBindings: () => clusterBindings.map(({ role, subjects }) => binding('ClusterRole', role, subjects) as ClusterRoleBinding),
    roleBindings: (namespace) =>
      bindings
        .filter((one) => one.namespace === namespace)
        .map(({ isLocal, role, subjects }) => binding(isLocal ? 'Role' : 'ClusterRole', role, subjects) as RoleBinding),
    clusterRole: (name) => (name === 'missing' ? undefined : { rules: clusterRoles[name as 'r'] }),
    role: (namespace, name) => (name === 'missing' ? undefined : { rules: roles[namespace as 'one'][name as 'r'] }),
  }
}

/** The documentation of RBAC, as directly as possible: expands every rule into all the requests that it allows. */
function modelAllows(state: Cluster, caller: { name: string; groups: readonly string[] }, asked: RequestAttributes): boolean {
  const isMe = (one: { kind: string; name: string; namespace?: string }, home: string) =>
    (one.kind === 'User' && one.name === caller.name) ||
    (one.kind === 'Group' && caller.groups.some((group) => group === one.name)) ||
    (one.kind === 'ServiceAccount' && caller.name === `system:serviceaccount:${one.namespace === '' ? home : one.namespace}:${one.name}`)
  const held: PolicyRule[] = []
  for (const { role, subjects } of state.clusterBindings)
    if (role !== 'missing' && subjects.some((one) => isMe(one, ''))) held.push(...state.clusterRoles[role as 'r'])
  const where = 'path' in asked ? '' : asked.namespace
  for (const { namespace, isLocal, role, subjects } of state.bindings)
    if (namespace === where && role !== 'missing' && subjects.some((one) => isMe(one, namespace)))
      held.push(...(isLocal ? state.roles[namespace as 'one'] : state.clusterRoles)[role as 'r'])
  const expressions = (pattern: string) => new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/\*/g, '.*')}$`)
  return held.some((rule) => {
    if (!rule.verbs.some((verb) => expressions(verb).test(asked.verb))) return false
    if ('path' in asked) return (rule.nonResourceURLs ?? []).some((url) => expressions(url).test(asked.path))
    const full = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`
    return (
      (rule.apiGroups ?? []).some((group) => group === '*' || group === asked.group) &&
      (rule.resources ?? []).some((one) => (one.startsWith('*') ? expressions(one).test(full) : one === full)) &&
      (!rule.resourceNames?.length || rule.resourceNames.some((name) => name === asked.name))
    )
  })
}

describe('the authorizer', () => {
  it('decides as a straightforward model does, for random roles, bindings, users and requests', () => {
    let allowed = 0
    assert(
      property(cluster, user, request, (state, caller, asked) => {
        const expected = modelAllows(state, caller, asked)
        if (expected) allowed++
        expect(createAuthorizer(readerOf(state), () => {}).authorize(caller, asked).allowed).toBe(expected)
      }),
      { numRuns: 3000, seed: 1 },
    )
    expect(allowed).toBeGreaterThan(100)
  })

  it('forgets rules after a change of a role', () => {
    let held: PolicyRule[] = []
    let changed = () => {}
    const reader: RoleReader = {
      clusterRoleBindings: () => [{ roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'r' }, subjects: [{ kind: 'User', name: 'bob' }] }],
      roleBindings: () => [],
      clusterRole: () => ({ rules: held }),
      role: () => undefined,
    }
    const authorizer = createAuthorizer(reader, (run) => {
      changed = run
    })
    const ask = () => authorizer.authorize({ name: 'bob', groups: [] }, { verb: 'get', path: '/metrics' })
    expect(ask().allowed).toBe(false)
    held = [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }]
    changed()
    expect(ask()).toEqual({ allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding undefined of ClusterRole "r" to User "bob"' })
  })
})

describe('findUncovered()', () => {
  it('finds nothing exactly where no request is allowed by the wanted rules alone', () => {
    assert(
      property(rules, rules, array(request, { maxLength: 30 }), (held, wanted, requests) => {
        if (findUncovered(held, wanted).length > 0) return
        for (const asked of requests)
          if (wanted.some((rule) => isAllowedBy(rule, asked))) expect(held.some((rule) => isAllowedBy(rule, asked))).toBe(true)
      }),
      { numRuns: 1000, seed: 2 },
    )
  })

  it('is shown as Kubernetes shows it', () => {
    const held = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }]
    const wanted = [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'configmaps'] },
      { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]
    expect(compactRules(findUncovered(held, wanted)).map(formatRule)).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
      '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["a"], Verbs:["get"]}',
      '{NonResourceURLs:["*"], Verbs:["*"]}',
    ])
  })
})
