// Creates the roles and bindings of a new cluster.
// Kubernetes: pkg/registry/rbac/rest.PolicyData.*
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { ClusterRole, KubernetesObject, PolicyRule, Role, RoleSubject } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import * as facts from './generated/bootstrap-roles.ts'

const group = 'rbac.authorization.k8s.io'

/** Creates missing objects, and leaves existing ones as they are. */
export async function applyBootstrapRoles(client: Client): Promise<void> {
  await Promise.all([
    createMissing(client, clusterRoles, mapEntries(facts.clusterRoles, clusterRoleOf)),
    createMissing(client, clusterRoleBindings, mapEntries(facts.clusterRoleBindings, bindingOf('ClusterRole'))),
    createMissing(client, roles, mapEntries(facts.roles, roleOf)),
    createMissing(client, roleBindings, mapEntries(facts.roleBindings, bindingOf('Role'))),
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

/** What the lines of a role or a binding say, by name or by `namespace/name`. */
function mapEntries<T>(
  table: Readonly<Record<string, string>>,
  make: (lines: readonly string[], name: string, namespace?: string) => T,
): T[] {
  return Object.entries(table).map(([path, text]) => {
    const [namespace, name] = path.includes('/') ? split(path) : [undefined, path]
    return make(text.split('\n'), name, namespace)
  })
}

const split = (path: string): [string, string] => {
  const slash = path.indexOf('/')
  return [path.slice(0, slash), path.slice(slash + 1)]
}

/**
 * A line of a role is a rule: `verbs groups resources [names]` or `verbs paths`; `core` is the group ''. Before them, `$partOf admin` says that another
 * role has its rules too, and `$gathers admin` that it has those of such roles.
 */
function clusterRoleOf(lines: readonly string[], name: string): ClusterRole {
  const named = (flag: string) => lines.find((line) => line.startsWith(flag))?.slice(flag.length)
  const [partOf, gathers] = [named('$partOf '), named('$gathers ')]
  return {
    metadata: metadataOf(name, undefined, partOf === undefined ? {} : aggregationLabel(partOf)),
    rules: lines.filter((line) => !line.startsWith('$')).map(parseRule),
    ...(gathers !== undefined && { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(gathers) }] } }),
  }
}

const roleOf = (lines: readonly string[], name: string, namespace?: string): Role => ({
  metadata: metadataOf(name, namespace),
  rules: lines.map(parseRule),
})

/** The first line of a binding is the name of the role, each other line a subject: `kind name`, or `ServiceAccount namespace/name`. */
const bindingOf =
  (kind: 'ClusterRole' | 'Role') =>
  ([role = '', ...subjects]: readonly string[], name: string, namespace?: string) => ({
    metadata: metadataOf(name, namespace),
    roleRef: { apiGroup: group, kind, name: role },
    subjects: subjects.map(parseSubject),
  })

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
