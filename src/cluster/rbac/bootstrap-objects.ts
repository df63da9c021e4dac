// Creates the roles and bindings of a new cluster.
// Kubernetes: pkg/registry/rbac/rest.PolicyData.*
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { ClusterRole, ClusterRoleBinding, KubernetesObject, PolicyRule, Role, RoleBinding, RoleSubject } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import {
  aggregatedRoles,
  aggregatedTo,
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
} from './bootstrap-roles.ts'
import { controllerRoles } from './controller-roles.ts'

const group = 'rbac.authorization.k8s.io'

/** Creates missing objects, and leaves existing ones as they are. */
export async function applyBootstrapRoles(client: Client): Promise<void> {
  await Promise.all([
    createMissing(client, clusterRoles, bootstrapClusterRoleObjects()),
    createMissing(client, clusterRoleBindings, bootstrapClusterRoleBindingObjects()),
    createMissing(client, roles, bootstrapRoleObjects()),
    createMissing(client, roleBindings, bootstrapRoleBindingObjects()),
  ])
}

const keyOf = ({ metadata }: KubernetesObject) => `${metadata?.namespace ?? ''}/${metadata?.name}`

async function createMissing<T extends KubernetesObject>(client: Client, kind: Kind<T>, objects: readonly T[]): Promise<void> {
  const existing = new Set((await client.list(kind)).items.map(keyOf))
  const missing = objects.filter((one) => !existing.has(keyOf(one)))
  await Promise.all(missing.map((one) => ignoring('AlreadyExists', client.create(kind, one.metadata?.namespace, one))))
}

const metadataOf = (name: string, namespace?: string, labels: Record<string, string> = {}) => ({
  name,
  ...(namespace !== undefined && { namespace }),
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
})

const aggregationLabel = (to: string) => ({ [`${group}/aggregate-to-${to}`]: 'true' })

function bootstrapClusterRoleObjects(): ClusterRole[] {
  const labelsOf = (name: string) => (aggregatedTo[name] === undefined ? {} : aggregationLabel(aggregatedTo[name]))
  const own = Object.entries(bootstrapClusterRoles)
  const ofControllers = Object.entries(controllerRoles).map(([name, rules]) => [controllerRole(name), rules] as const)
  return [
    ...[...own, ...ofControllers].map(([name, rules]) => ({
      metadata: metadataOf(name, undefined, labelsOf(name)),
      rules: rules.map(parseRule),
    })),
    ...aggregatedRoles.map((name) => ({
      metadata: metadataOf(name, undefined, labelsOf(name)),
      rules: [],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(name) }] },
    })),
  ]
}

const controllerRole = (name: string) => `system:controller:${name}`

function bootstrapClusterRoleBindingObjects(): ClusterRoleBinding[] {
  const own = Object.entries(bootstrapClusterRoleBindings)
  const ofControllers = Object.keys(controllerRoles).map((name) => [controllerRole(name), [`ServiceAccount kube-system/${name}`]] as const)
  return [...own, ...ofControllers].map(([name, subjects]) => ({
    metadata: metadataOf(name),
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: subjects.map(parseSubject),
  }))
}

const split = (path: string): [string, string] => {
  const slash = path.indexOf('/')
  return [path.slice(0, slash), path.slice(slash + 1)]
}

function bootstrapRoleObjects(): Role[] {
  return Object.entries(bootstrapRoles).map(([path, rules]) => {
    const [namespace, name] = split(path)
    return { metadata: metadataOf(name, namespace), rules: rules.map(parseRule) }
  })
}

function bootstrapRoleBindingObjects(): RoleBinding[] {
  return Object.entries(bootstrapRoleBindings).map(([path, [role, ...subjects]]) => {
    const [namespace, name] = split(path)
    return {
      metadata: metadataOf(name, namespace),
      roleRef: { apiGroup: group, kind: 'Role', name: role },
      subjects: subjects.map(parseSubject),
    }
  })
}

function parseRule(text: string): PolicyRule {
  const [verbs = [], first = [], resources, resourceNames] = text.split(' ').map((one) => one.split(','))
  if (resources === undefined) return { verbs, nonResourceURLs: first }
  const apiGroups = first.map((one) => (one === 'core' ? '' : one))
  return { verbs, apiGroups, resources, ...(resourceNames !== undefined && { resourceNames }) }
}

function parseSubject(text: string): RoleSubject {
  const [kind = '', name = ''] = text.split(' ')
  if (kind !== 'ServiceAccount') return { apiGroup: group, kind, name }
  const [namespace, account] = split(name)
  return { kind, name: account, namespace }
}
