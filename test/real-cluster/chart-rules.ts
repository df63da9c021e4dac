// The rules of the Helm chart, granted to the service account of these tests, and compared with its requests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../front-door/running-cluster.ts'
import { type AuditEvent, serviceAccount, type TestUser } from './real-control-plane.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

interface ChartRules {
  readonly cluster: readonly Rule[]
  readonly namespace: readonly Rule[]
}

export const installationNamespace = 'rollcall-system'

const readRules = (chart: string): unknown => parse(readFileSync(join(root, 'deploy/charts', chart, 'rules.yaml'), 'utf8'))

export const chartRules = (): ChartRules => readRules('rollcall-controllers') as ChartRules

/** By section of its rules.yaml. */
export const pacerRules = (): Readonly<Record<string, readonly Rule[]>> => readRules('rollcall-pacer') as Record<string, Rule[]>

/** The objects that grant the rules, as the chart makes them. */
export function grantedRules(): readonly object[] {
  const { cluster, namespace } = chartRules()
  const name = 'rollcall-controllers'
  const rbac = 'rbac.authorization.k8s.io'
  const subjects = [{ kind: 'User', apiGroup: rbac, name: serviceAccount }]
  const here = { name, namespace: installationNamespace }
  const apiVersion = `${rbac}/v1`
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: installationNamespace } },
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: cluster },
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, subjects, roleRef: { apiGroup: rbac, kind: 'ClusterRole', name } },
    { apiVersion, kind: 'Role', metadata: here, rules: namespace },
    { apiVersion, kind: 'RoleBinding', metadata: here, subjects, roleRef: { apiGroup: rbac, kind: 'Role', name } },
  ]
}

const permission = (group: string, resource: string, verb: string) => `${verb} ${group === '' ? '' : `${group}/`}${resource}`

/** These rights are checked when owners are set, by an admission plugin that the tests turn on; they are no requests. */
const ofOwners = new Set([
  ...['deployments', 'replicasets', 'statefulsets', 'daemonsets'].map((owner) => `update apps/${owner}/finalizers`),
  ...['jobs', 'cronjobs'].map((owner) => `update batch/${owner}/finalizers`),
  'update replicationcontrollers/finalizers',
  'delete persistentvolumeclaims',
])

/** One line for each verb on each resource. */
export const permissionsOf = (rules: readonly Rule[]): readonly string[] =>
  rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => permission(group, resource, verb)))),
    )
    .filter((line) => !ofOwners.has(line))
    .sort()

/**
 * After an answer that was lost with its connection a controller reads what it wrote, which these tests do not provoke:
 * a write of an object implies the right to get it. Events are written once and not read.
 */
function withReads(lines: ReadonlySet<string>): readonly string[] {
  const all = new Set(lines)
  for (const line of lines) {
    const [verb = '', path = ''] = line.split(' ')
    if (['get', 'list', 'watch'].includes(verb) || path === 'events') continue
    all.add(`get ${path.replace(/\/status$/, '')}`)
  }
  return [...all].sort()
}

const ownResources = new Set(['leases', 'roles', 'secrets'])

/** The permissions that the service account used, with those that they imply, and those that it was refused. */
export function requestedPermissions(
  audit: readonly AuditEvent[],
  account: TestUser = serviceAccount,
): {
  readonly cluster: readonly string[]
  readonly namespace: readonly string[]
  readonly refused: readonly string[]
} {
  const found = { cluster: new Set<string>(), namespace: new Set<string>(), refused: new Set<string>() }
  for (const { user, verb, objectRef, responseStatus } of audit) {
    if (user.username !== account || objectRef?.resource === undefined) continue
    const { resource, subresource, apiGroup = '', namespace, name = '' } = objectRef
    const line = permission(apiGroup, subresource === undefined ? resource : `${resource}/${subresource}`, verb)
    if (responseStatus?.code === 403) found.refused.add(line)
    // Workloads are in another namespace: what happens here is the election, the preflight and the admission, and Events about them.
    const isOwn =
      namespace === installationNamespace && (ownResources.has(resource) || name.startsWith('rollcall-preflight-') || verb === 'create')
    found[isOwn && resource !== 'events' ? 'namespace' : 'cluster'].add(line)
  }
  return { cluster: withReads(found.cluster), namespace: withReads(found.namespace), refused: [...found.refused].sort() }
}
