// The workloads of these tests, and what they are when they have settled.
import { deployments, pods, replicaSets } from '../../src/api/kinds.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../src/api/types.ts'
import type { Client } from '../../src/client/client.ts'
import { until } from './running-command.ts'

const namespace = 'default'

export const policyAnnotation = 'rollcall.dev/pod-replacement-policy'
export const complete = { [policyAnnotation]: 'TerminationComplete' }

/** Runs until it is killed: a pod takes its whole grace period to terminate. */
const stubborn = ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done']

export const podTemplate = (app: string, { image = 'example/web:1', graceSeconds = 1, spec = {} } = {}) => ({
  metadata: { labels: { app } },
  spec: { terminationGracePeriodSeconds: graceSeconds, containers: [{ name: 'web', image, command: stubborn }], ...spec },
})

interface DeploymentChoices {
  readonly replicas: number
  readonly annotations?: Readonly<Record<string, string>>
  readonly strategy?: object
  readonly graceSeconds?: number
}

export const deployment = (name: string, { replicas, annotations = {}, strategy = {}, graceSeconds = 1 }: DeploymentChoices): Deployment =>
  ({
    metadata: { name, namespace, annotations },
    spec: { replicas, strategy, selector: { matchLabels: { app: name } }, template: podTemplate(name, { graceSeconds }) },
  }) as Deployment

export const conditionOf = (
  { status }: { readonly status?: { readonly conditions?: readonly { type: string; status: string; reason?: string }[] } },
  type: string,
) => status?.conditions?.find((one) => one.type === type)

/** Resolves to the Deployment when the last change of it is rolled out and nothing of the old is left. */
export const rolledOut = (client: Client, name: string): Promise<Stored<Deployment>> =>
  until(`${name} is rolled out`, async () => {
    const current = await client.get(deployments, { namespace, name })
    const { status, spec, metadata } = current
    const counts = [status?.updatedReplicas, status?.availableReplicas, status?.replicas].map((count) => count ?? 0)
    const isDone =
      status?.observedGeneration === metadata.generation &&
      counts.every((count) => count === spec?.replicas) &&
      conditionOf(current as never, 'Progressing')?.reason === 'NewReplicaSetAvailable'
    return isDone && current
  })

export const setImage = (client: Client, name: string, image: string) =>
  client.patch(deployments, { namespace, name }, 'strategic', { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } })

export const podsOf = async (client: Client, app: string): Promise<readonly Stored<Pod>[]> =>
  (await client.list(pods, { namespace, labelSelector: `app=${app}` })).items

export const setsOf = async (client: Client, app: string): Promise<readonly Stored<ReplicaSet>[]> =>
  (await client.list(replicaSets, { namespace, labelSelector: `app=${app}` })).items

export const isTerminating = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp !== undefined

/** Ends a terminating pod before its grace period is over. */
export const endPod = (client: Client, name: string) => client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 })
