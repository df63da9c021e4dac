// The objects of API priority and fairness that a new cluster has, as Kubernetes v1.37 creates them. Requests are not classified by them
// (docs/compatibility.md): clients, dashboards and charts may read them and refer to them.
// Kubernetes: k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap.MandatoryPriorityLevelConfigurations, SuggestedPriorityLevelConfigurations
// Kubernetes: k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap.MandatoryFlowSchemas, SuggestedFlowSchemas
import { flowSchemas, priorityLevelConfigurations } from '../api/kinds.ts'
import { ignoring } from '../api/machinery/status-error.ts'
import type { FlowSchema, PriorityLevelConfiguration } from '../api/types.ts'
import type { Client } from '../client/client.ts'

type LevelSpec = NonNullable<PriorityLevelConfiguration['spec']>
type FlowSpec = NonNullable<FlowSchema['spec']>
type Rule = NonNullable<FlowSpec['rules']>[number]

const queued = (nominalConcurrencyShares: number, lendablePercent: number, queues: number, handSize = 6): LevelSpec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares,
    lendablePercent,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
  },
})

const levels: Readonly<Record<string, LevelSpec>> = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': { type: 'Limited', limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } } },
  'global-default': queued(20, 50, 128),
  'leader-election': queued(10, 0, 16, 4),
  'node-high': queued(40, 25, 64),
  system: queued(30, 33, 64),
  'workload-high': queued(40, 50, 128),
  'workload-low': queued(100, 90, 128),
}

const everything: Pick<Rule, 'resourceRules' | 'nonResourceRules'> = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}
const leases = (verbs: readonly string[]) => ({
  verbs,
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  namespaces: ['*'],
})
const group = (name: string) => ({ kind: 'Group', group: { name } })
const user = (name: string) => ({ kind: 'User', user: { name } })
const systemAccounts = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }
const allUsers = [group('system:unauthenticated'), group('system:authenticated')]

type Flow = readonly [name: string, precedence: number, level: string, by: 'ByUser' | 'ByNamespace' | undefined, rule: Rule]
const flows: readonly Flow[] = [
  ['exempt', 1, 'exempt', undefined, { ...everything, subjects: [group('system:masters')] }],
  [
    'probes',
    2,
    'exempt',
    undefined,
    { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }], subjects: allUsers },
  ],
  [
    'system-leader-election',
    100,
    'leader-election',
    'ByUser',
    {
      resourceRules: [leases(['get', 'create', 'update'])],
      subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), systemAccounts],
    },
  ],
  [
    'system-node-high',
    400,
    'node-high',
    'ByUser',
    {
      resourceRules: [
        { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
        leases(['*']),
      ],
      subjects: [group('system:nodes')],
    },
  ],
  ['system-nodes', 500, 'system', 'ByUser', { ...everything, subjects: [group('system:nodes')] }],
  ['kube-controller-manager', 800, 'workload-high', 'ByNamespace', { ...everything, subjects: [user('system:kube-controller-manager')] }],
  ['kube-scheduler', 800, 'workload-high', 'ByNamespace', { ...everything, subjects: [user('system:kube-scheduler')] }],
  ['kube-system-service-accounts', 900, 'workload-high', 'ByNamespace', { ...everything, subjects: [systemAccounts] }],
  ['service-accounts', 9000, 'workload-low', 'ByUser', { ...everything, subjects: [group('system:serviceaccounts')] }],
  ['global-default', 9900, 'global-default', 'ByUser', { ...everything, subjects: allUsers }],
  ['catch-all', 10_000, 'catch-all', 'ByUser', { ...everything, subjects: allUsers }],
]

const metadataOf = (name: string) => ({ name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } })

/** Creates missing objects, and leaves existing ones as they are. */
export async function applyFlowControl(client: Client): Promise<void> {
  await Promise.all([
    ...Object.entries(levels).map(([name, spec]) =>
      ignoring('AlreadyExists', client.create(priorityLevelConfigurations, undefined, { metadata: metadataOf(name), spec })),
    ),
    ...flows.map((flow) => applyFlow(client, flow)),
  ])
}

async function applyFlow(client: Client, [name, matchingPrecedence, level, by, rule]: Flow): Promise<void> {
  const schema = {
    metadata: metadataOf(name),
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      ...(by !== undefined && { distinguisherMethod: { type: by } }),
      rules: [rule],
    },
  }
  const created = await ignoring('AlreadyExists', client.create(flowSchemas, undefined, schema))
  if (created === undefined) return
  const lastTransitionTime = created.metadata.creationTimestamp ?? ''
  const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`
  const condition = { type: 'Dangling', status: 'False', lastTransitionTime, reason: 'Found', message } as const
  await client.updateStatus(flowSchemas, { ...created, status: { conditions: [condition] } })
}
