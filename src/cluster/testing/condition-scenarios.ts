// What happens to a workload of each kind, and its conditions afterwards (KEP-2804): the rows of the table that
// conditions-matrix.test.ts walks.

import { daemonSets, deployments, jobs, nodes, replicaSets, replicationControllers, resourceQuotas, statefulSets } from '../../api/kinds.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { ScenarioCluster } from './scenario-cluster.ts'

/** `True Reason`, or undefined for a condition that is not there. */
type Said = string | undefined

export interface Step {
  readonly what: string
  run(cluster: ScenarioCluster): Promise<unknown>
  /** What every condition of the kind says afterwards; the ones that are not named say what they said before. */
  readonly says: Readonly<Record<string, Said>>
  /** Time that passes after it. */
  readonly passMs?: number
  /** Controllers keep retrying: the cluster does not settle. */
  readonly restless?: boolean
}

export interface Scenario {
  readonly name: string
  readonly kind: string
  readonly resource: Resource
  readonly object: KubernetesObject
  readonly steps: readonly Step[]
}

const enough = 'True SufficientReplicasAvailable'
const tooFew = 'False InsufficientReplicasAvailable'

const labels = { app: 'x' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } }
const metadata = { name: 'a' }
const image = (name: string) => [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: name }]
const spec = (change: object) => (cluster: ScenarioCluster) => cluster.change({ spec: change })
const ready = (count?: number) => (cluster: ScenarioCluster) => cluster.bringUp(count)
const lose = (count: number) => (cluster: ScenarioCluster) => cluster.loseReadiness(count)
const quota =
  (hard: Readonly<Record<string, string>>, then: (cluster: ScenarioCluster) => Promise<unknown>) => async (cluster: ScenarioCluster) => {
    await cluster.client.create(resourceQuotas, 'default', { metadata: { name: 'tight' }, spec: { hard } } as KubernetesObject)
    await cluster.rest()
    await then(cluster)
  }
const noQuota = (cluster: ScenarioCluster) => cluster.client.delete(resourceQuotas, { namespace: 'default', name: 'tight' })

const replicaSteps: readonly Step[] = [
  { what: 'is created', run: async () => {}, says: { Operational: tooFew } },
  { what: 'has one of two', run: ready(1), says: {} },
  { what: 'has both', run: ready(), says: { Operational: enough } },
  { what: 'loses one', run: lose(1), says: { Operational: tooFew } },
  { what: 'requires one', run: spec({ operationalThreshold: 1 }), says: { Operational: enough } },
  { what: 'loses the other', run: lose(2), says: { Operational: tooFew } },
  { what: 'has one of two again', run: ready(1), says: { Operational: enough } },
  { what: 'requires more than half, which is both', run: spec({ operationalThreshold: '51%' }), says: { Operational: tooFew } },
  { what: 'requires half', run: spec({ operationalThreshold: '50%' }), says: { Operational: enough } },
  { what: 'requires all, which is the default', run: spec({ operationalThreshold: null }), says: { Operational: tooFew } },
  { what: 'needs none', run: spec({ replicas: 0 }), says: { Operational: enough } },
  {
    what: 'may not create pods',
    run: quota({ pods: '1' }, spec({ replicas: 2 })),
    says: { Operational: tooFew, ReplicaFailure: 'True FailedCreate' },
    restless: true,
  },
  { what: 'may again', run: noQuota, says: { ReplicaFailure: undefined }, passMs: 60_000 },
  { what: 'has both again', run: ready(), says: { Operational: enough } },
]

const deploymentSteps: readonly Step[] = [
  {
    what: 'is created',
    run: async () => {},
    says: { Progressing: 'True ReplicaSetUpdated', Available: 'False MinimumReplicasUnavailable', Operational: tooFew },
  },
  { what: 'has three of four, which is its minimum', run: ready(3), says: { Available: 'True MinimumReplicasAvailable' } },
  { what: 'has all', run: ready(), says: { Progressing: 'True NewReplicaSetAvailable', Operational: enough } },
  { what: 'loses one, which does not concern the rollout', run: lose(1), says: { Operational: tooFew } },
  { what: 'requires three quarters', run: spec({ operationalThreshold: '75%' }), says: { Operational: enough } },
  { what: 'loses two', run: lose(2), says: { Operational: tooFew, Available: 'False MinimumReplicasUnavailable' } },
  { what: 'has all again', run: ready(), says: { Operational: enough, Available: 'True MinimumReplicasAvailable' } },
  { what: 'is paused', run: spec({ paused: true }), says: { Progressing: 'Unknown DeploymentPaused' } },
  { what: 'is resumed', run: spec({ paused: null }), says: { Progressing: 'True NewReplicaSetAvailable' } },
  {
    what: 'may not create a ReplicaSet',
    run: quota({ 'count/replicasets.apps': '1' }, (cluster) => cluster.change(image('nginx:2'))),
    says: { Progressing: 'False ReplicaSetCreateError' },
    restless: true,
  },
  { what: 'may, and gets on', run: noQuota, says: { Progressing: 'True ReplicaSetUpdated' }, passMs: 60_000 },
  { what: 'has not got on in time', run: async () => {}, says: { Progressing: 'False ProgressDeadlineExceeded' }, passMs: 601_000 },
  { what: 'gets on after all', run: ready(), says: { Progressing: 'True ReplicaSetUpdated' } },
  { what: 'has ended', run: (cluster) => cluster.bringAllUp(), says: { Progressing: 'True NewReplicaSetAvailable' } },
  {
    what: 'may not create pods',
    run: quota({ pods: '4' }, spec({ replicas: 8 })),
    says: {
      ReplicaFailure: 'True FailedCreate',
      Available: 'False MinimumReplicasUnavailable',
      Operational: tooFew,
    },
    restless: true,
  },
  {
    what: 'may again',
    run: async (cluster) => {
      await noQuota(cluster)
      cluster.pass(60_000)
      await cluster.bringAllUp()
    },
    says: {
      ReplicaFailure: undefined,
      Available: 'True MinimumReplicasAvailable',
      Operational: enough,
    },
  },
]

const revisionSteps: readonly Step[] = [
  { what: 'is created', run: async () => {}, says: { Progressing: 'True RevisionUpdated', Operational: tooFew } },
  { what: 'has one of two', run: ready(1), says: {} },
  { what: 'has not got on in time', run: async () => {}, says: { Progressing: 'False ProgressDeadlineExceeded' }, passMs: 61_000 },
  { what: 'has both', run: ready(), says: { Progressing: 'True NewRevisionAvailable', Operational: enough } },
  { what: 'loses one, which does not concern the rollout', run: lose(1), says: { Operational: tooFew }, passMs: 61_000 },
  { what: 'requires one', run: spec({ operationalThreshold: 1 }), says: { Operational: enough }, passMs: 61_000 },
  { what: 'loses the other', run: lose(2), says: { Operational: tooFew } },
  { what: 'requires half', run: spec({ operationalThreshold: '50%' }), says: {} },
  { what: 'has one of two', run: ready(1), says: { Operational: enough } },
  { what: 'has both again', run: ready(), says: {} },
  { what: 'gets another image', run: (cluster) => cluster.change(image('nginx:2')), says: { Progressing: 'True NewRevisionCreated' } },
  { what: 'does not end in time', run: async () => {}, says: { Progressing: 'False ProgressDeadlineExceeded' }, passMs: 61_000 },
  { what: 'has ended', run: (cluster) => cluster.bringAllUp(), says: { Progressing: 'True NewRevisionAvailable', Operational: enough } },
]

const jobTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } }
const waits = { Waiting: 'True PodsPending' }
const runs = { Waiting: 'False NotWaiting', Running: 'True PodsRunning' }
const runsNot = { Running: 'False NoPodsRunning' }

const jobStory = (name: string, jobSpec: object, steps: readonly Step[]): Scenario => ({
  name,
  kind: 'Job',
  resource: jobs,
  object: { metadata, spec: { template: jobTemplate, ...jobSpec } } as KubernetesObject,
  steps,
})

export const scenarios: readonly Scenario[] = [
  {
    name: 'a ReplicaSet',
    kind: 'ReplicaSet',
    resource: replicaSets,
    object: { metadata, spec: { replicas: 2, selector: { matchLabels: labels }, template } } as KubernetesObject,
    steps: replicaSteps,
  },
  {
    name: 'a ReplicationController',
    kind: 'ReplicationController',
    resource: replicationControllers,
    object: { metadata, spec: { replicas: 2, selector: labels, template } } as KubernetesObject,
    steps: replicaSteps,
  },
  {
    name: 'a Deployment',
    kind: 'Deployment',
    resource: deployments,
    object: { metadata, spec: { replicas: 4, selector: { matchLabels: labels }, template } } as KubernetesObject,
    steps: deploymentSteps,
  },
  {
    name: 'a StatefulSet',
    kind: 'StatefulSet',
    resource: statefulSets,
    object: {
      metadata,
      spec: {
        replicas: 2,
        serviceName: 'a',
        podManagementPolicy: 'Parallel',
        progressDeadlineSeconds: 60,
        selector: { matchLabels: labels },
        template,
      },
    } as KubernetesObject,
    steps: [
      ...revisionSteps,
      {
        what: 'grows',
        run: spec({ replicas: 3, operationalThreshold: '100%' }),
        says: { Progressing: 'True RevisionUpdated', Operational: tooFew },
      },
      { what: 'has grown', run: ready(), says: { Progressing: 'True NewRevisionAvailable', Operational: enough } },
      { what: 'needs none', run: spec({ replicas: 0 }), says: { Progressing: 'True RevisionUpdated' } },
      { what: 'has none', run: (cluster) => cluster.bringAllUp(), says: { Progressing: 'True NewRevisionAvailable' } },
    ],
  },
  {
    name: 'a DaemonSet',
    kind: 'DaemonSet',
    resource: daemonSets,
    object: { metadata, spec: { progressDeadlineSeconds: 60, selector: { matchLabels: labels }, template } } as KubernetesObject,
    steps: [
      ...revisionSteps,
      {
        what: 'gets a third node',
        run: async (cluster) => {
          await cluster.change({ spec: { operationalThreshold: null } })
          await cluster.client.create(nodes, undefined, { metadata: { name: 'n3' } })
        },
        says: { Operational: tooFew },
        passMs: 61_000,
      },
      { what: 'serves it', run: ready(), says: { Operational: enough } },
      { what: 'loses a node', run: (cluster) => cluster.loseNode('n2'), says: { Operational: tooFew }, passMs: 61_000 },
      { what: 'has it back', run: (cluster) => cluster.recoverNode('n2'), says: { Operational: enough } },
      {
        what: 'may not stay on a node',
        run: (cluster) => cluster.taint('n3', [{ key: 'k', effect: 'NoSchedule' }]),
        says: {},
        passMs: 61_000,
      },
    ],
  },
  jobStory('a Job that completes', { completions: 2, parallelism: 1 }, [
    { what: 'is created', run: async () => {}, says: waits },
    { what: 'runs', run: (cluster) => cluster.run(), says: runs },
    { what: 'goes on with the next pod', run: (cluster) => cluster.end('Succeeded'), says: { ...runsNot, ...waits } },
    { what: 'runs again', run: (cluster) => cluster.run(), says: runs },
    { what: 'has ended', run: (cluster) => cluster.end('Succeeded'), says: { ...runsNot, Complete: 'True CompletionsReached' } },
  ]),
  jobStory('a Job whose pods fail', { backoffLimit: 0 }, [
    { what: 'is created', run: async () => {}, says: waits },
    { what: 'runs', run: (cluster) => cluster.run(), says: runs },
    { what: 'has failed', run: (cluster) => cluster.end('Failed'), says: { ...runsNot, Failed: 'True BackoffLimitExceeded' } },
  ]),
  jobStory('a Job that takes too long', { activeDeadlineSeconds: 300, parallelism: 2 }, [
    { what: 'is created', run: async () => {}, says: waits },
    { what: 'runs', run: (cluster) => cluster.run(1), says: runs },
    { what: 'is over while its pod terminates', run: async () => {}, says: {}, passMs: 301_000 },
    { what: 'has failed', run: (cluster) => cluster.finishTerminating(), says: { ...runsNot, Failed: 'True DeadlineExceeded' } },
  ]),
  jobStory('a Job that is suspended', { suspend: true }, [
    { what: 'is created', run: async () => {}, says: { Suspended: 'True JobSuspended' } },
    { what: 'is resumed', run: spec({ suspend: false }), says: { Suspended: 'False JobResumed', ...waits } },
    { what: 'runs', run: (cluster) => cluster.run(), says: runs },
    { what: 'is suspended while it runs', run: spec({ suspend: true }), says: { Suspended: 'True JobSuspended' } },
    { what: 'has no pods', run: (cluster) => cluster.finishTerminating(), says: runsNot },
    { what: 'is resumed again', run: spec({ suspend: false }), says: { Suspended: 'False JobResumed', ...waits } },
  ]),
]
