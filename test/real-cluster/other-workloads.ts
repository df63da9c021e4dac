// What the controllers do for kinds that the proposals leave alone, so that every request that they can make is made once.
import { expect, it } from 'vitest'
import {
  controllerRevisions,
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  persistentVolumeClaims,
  pods,
  replicaSets,
  statefulSets,
} from '../../src/api/kinds.ts'
import type { HttpClient } from '../../src/client/http-client.ts'
import { until } from './running-command.ts'
import { deployment, podsOf, podTemplate, rolledOut, setImage, setsOf } from './workloads.ts'

const namespace = 'default'

interface ScenarioTools {
  readonly client: HttpClient
  kubectl(...args: readonly string[]): Promise<string>
}

export function addOtherWorkloads(tools: () => ScenarioTools): void {
  const revisionsOf = async (app: string) =>
    (await tools().client.list(controllerRevisions, { namespace, labelSelector: `app=${app}` })).items

  it.each(['StatefulSet', 'DaemonSet'])('a %s rolls out, rolls back and forgets old revisions', async (kind) => {
    const { client, kubectl } = tools()
    const name = `${kind.toLowerCase()}-history`
    const ref = { namespace, name }
    const resource = kind === 'StatefulSet' ? statefulSets : daemonSets
    const spec = {
      revisionHistoryLimit: 1,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name),
      ...(kind === 'StatefulSet' && {
        replicas: 2,
        serviceName: name,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        volumeClaimTemplates: [
          { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        ],
      }),
    }
    await client.create(resource as typeof statefulSets, namespace, { metadata: { name }, spec } as never)
    if (kind === 'StatefulSet')
      await until('its claims have their owner', async () => {
        const { items } = await client.list(persistentVolumeClaims, { namespace, labelSelector: `app=${name}` })
        return items.length > 0 && items.every(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'StatefulSet')
      })
    else await kubectl('rollout', 'status', `daemonset/${name}`, '--timeout=120s')
    const change = async (image: string) => {
      await client.patch(resource as typeof statefulSets, ref, 'strategic', {
        spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
      })
      await until(`${name} has observed ${image}`, async () => {
        const { status, metadata } = await client.get(resource as typeof statefulSets, ref)
        return status?.observedGeneration === metadata.generation
      })
    }
    await change('example/web:2')
    // Back to a revision that exists: its number is raised.
    await change('example/web:1')
    await change('example/web:2')
    await change('example/web:3')
    if (kind === 'DaemonSet') {
      await kubectl('rollout', 'status', `daemonset/${name}`, '--timeout=120s')
      await until('old revisions are deleted', async () => (await revisionsOf(name)).length <= 2)
      // What an orphaning deletion leaves is taken over by the next set of that name.
      await kubectl('delete', 'daemonset', name, '--cascade=orphan')
      await client.create(daemonSets, namespace, { metadata: { name }, spec } as never)
      await until('the revisions are adopted', async () =>
        (await revisionsOf(name)).every(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'DaemonSet'),
      )
    }
  })

  it('a StatefulSet repairs the identity of a pod', async () => {
    const { client } = tools()
    const name = 'identity'
    await client.create(statefulSets, namespace, {
      metadata: { name },
      spec: { replicas: 1, serviceName: name, selector: { matchLabels: { app: name } }, template: podTemplate(name) },
    } as never)
    const ref = { namespace, name: `${name}-0` }
    const label = 'statefulset.kubernetes.io/pod-name'
    await until('its pod is ready', async () => (await client.get(statefulSets, { namespace, name })).status?.readyReplicas === 1)
    await client.patch(pods, ref, 'merge', { metadata: { labels: { [label]: null } } })
    await until('the label is back', async () => (await client.get(pods, ref)).metadata.labels?.[label] === `${name}-0`)
    await client.patch(statefulSets, { namespace, name }, 'merge', { spec: { replicas: 0 } })
    await until('it has no pods', async () => (await podsOf(client, name)).length === 0)
  })

  it('adopts ReplicaSets and pods, and releases them', async () => {
    const { client, kubectl } = tools()
    const name = 'adopted'
    await client.create(deployments, namespace, deployment(name, { replicas: 2 }))
    await rolledOut(client, name)
    await kubectl('delete', 'deployment', name, '--cascade=orphan')
    const [set] = await setsOf(client, name)
    await kubectl('delete', 'replicaset', set!.metadata.name, '--cascade=orphan')
    const before = (await podsOf(client, name)).map(({ metadata }) => metadata.uid).sort()
    const { ownerReferences: _, uid: __, resourceVersion: ___, ...metadata } = set!.metadata
    await client.create(replicaSets, namespace, { metadata, spec: set!.spec } as never)
    await client.create(deployments, namespace, deployment(name, { replicas: 2 }))
    await rolledOut(client, name)
    expect((await podsOf(client, name)).map((pod) => pod.metadata.uid).sort()).toEqual(before)
    const [released] = await podsOf(client, name)
    await client.patch(pods, { namespace, name: released!.metadata.name }, 'merge', { metadata: { labels: { app: 'released' } } })
    await until('the pod is released', async () => {
      const pod = await client.get(pods, { namespace, name: released!.metadata.name })
      return (pod.metadata.ownerReferences ?? []).length === 0
    })
    await rolledOut(client, name)
    await setImage(client, name, 'example/web:2')
    await rolledOut(client, name)
    // As clients of extensions/v1beta1 requested a rollback to the previous revision.
    await kubectl('annotate', 'deployment', name, 'deprecated.deployment.rollback.to=0')
    await until('it is rolled back', async () => {
      const { spec } = await client.get(deployments, { namespace, name })
      return spec?.template?.spec?.containers[0]?.image === 'example/web:1'
    })
    await client.patch(deployments, { namespace, name }, 'merge', { spec: { revisionHistoryLimit: 0 } })
    await rolledOut(client, name)
    await until('the old set is deleted', async () => (await setsOf(client, name)).length === 1)
  })

  it('a CronJob makes up for a missed run, and keeps no more Jobs than it may', async () => {
    const { client } = tools()
    const name = 'cron'
    const template = {
      metadata: { labels: { app: name } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example/run:1', command: ['sh', '-c', 'true'] }] },
    }
    const created = await client.create(cronJobs, namespace, {
      metadata: { name },
      spec: {
        suspend: true,
        schedule: '* * * * *',
        successfulJobsHistoryLimit: 0,
        jobTemplate: { metadata: { labels: { app: name } }, spec: { template } },
      },
    } as never)
    const lastScheduleTime = new Date(Date.parse(created.metadata.creationTimestamp ?? '') - 120_000).toISOString().replace(/\.\d+/, '')
    await client.patch(cronJobs, { namespace, name }, 'merge', { status: { lastScheduleTime } }, { subresource: 'status' })
    await client.patch(cronJobs, { namespace, name }, 'merge', { spec: { suspend: false } })
    await until('a Job was run and deleted', async () => {
      const { status } = await client.get(cronJobs, { namespace, name })
      const { items } = await client.list(jobs, { namespace, labelSelector: `app=${name}` })
      return status?.lastSuccessfulTime !== undefined && items.length === 0
    })
  })

  it('deletes a finished Job after its time to live', async () => {
    const { client } = tools()
    const name = 'short-lived'
    await client.create(jobs, namespace, {
      metadata: { name },
      spec: {
        ttlSecondsAfterFinished: 1,
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example/run:1', command: ['sh', '-c', 'true'] }] },
        },
      },
    } as never)
    await until(
      'it is deleted',
      async () => (await client.list(jobs, { namespace, fieldSelector: `metadata.name=${name}` })).items.length === 0,
    )
  })
}
