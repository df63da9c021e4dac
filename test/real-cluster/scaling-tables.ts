// The three tables of KEP-5882 about proportional scaling: a Deployment in the middle of a rollout with three ReplicaSets.
//
// No pod is scheduled, so the rollout itself stands still; a finalizer holds each deleted pod until the test lets it go, so
// that exactly as many pods are terminating as the table says.
import { expect } from 'vitest'
import { deployments, pods, replicaSets } from '../../src/api/kinds.ts'
import type { Deployment, ReplicaSet, Stored } from '../../src/api/types.ts'
import type { Client } from '../../src/client/client.ts'
import { countPods } from './pod-count.ts'
import { until } from './running-command.ts'
import { complete, isTerminating, podsOf, podTemplate, setsOf } from './workloads.ts'

const namespace = 'default'
const hold = 'example.com/hold'
const annotationOf = (set: Stored<ReplicaSet>, name: string) => set.metadata.annotations?.[`deployment.kubernetes.io/${name}`]

/** The sizes are those of the newest set, the middle one and the oldest. */
type Sizes = readonly [number, number, number]

interface ScalingTable {
  readonly client: Client
  readonly name: string
  scale(replicas: number): Promise<void>
  /** Lets terminating pods go until so many are left. */
  leaveTerminating(count: number): Promise<void>
  /** Waits for these sizes, and for the Deployment to have observed them. */
  reaches(sizes: Sizes, before: readonly (string | undefined)[]): Promise<void>
  /** The most pods at once, terminating ones included. */
  peak(): number
  stop(): void
}

export async function openScalingTable(
  client: Client,
  name: string,
  sizes: Sizes,
  { terminating = 0, isComplete = false } = {},
): Promise<ScalingTable> {
  const template = (image: string) => {
    const { metadata, spec } = podTemplate(name, { image, spec: { nodeSelector: { 'example.com/node': 'none' } } })
    return { metadata: { ...metadata, finalizers: [hold] }, spec }
  }
  const images = ['example/web:3', 'example/web:2', 'example/web:1']
  const annotations = isComplete ? complete : {}
  const sets: Stored<ReplicaSet>[] = []
  for (const [index, image] of images.entries()) {
    const labels = { app: name, 'pod-template-hash': `revision${3 - index}` }
    const replicas = sizes[index]! + (index === 0 ? terminating : 0)
    const set = {
      metadata: {
        name: `${name}-${3 - index}`,
        namespace,
        labels,
        annotations: {
          ...annotations,
          'deployment.kubernetes.io/revision': String(3 - index),
          'deployment.kubernetes.io/desired-replicas': '100',
          'deployment.kubernetes.io/max-replicas': '110',
        },
      },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { ...template(image), metadata: { ...template(image).metadata, labels } },
      },
    }
    sets.push(await client.create(replicaSets, namespace, set as unknown as ReplicaSet))
  }
  const count = await countPods(client, name)
  await until(`${name} has its pods`, async () => (await podsOf(client, name)).length === sizes[0] + sizes[1] + sizes[2] + terminating)
  if (terminating > 0) {
    await client.patch(replicaSets, { namespace, name: sets[0]!.metadata.name }, 'merge', { spec: { replicas: sizes[0] } })
    await until(`${terminating} pods of ${name} terminate`, async () => {
      const { status } = await client.get(replicaSets, { namespace, name: sets[0]!.metadata.name })
      return status?.replicas === sizes[0] && status.terminatingReplicas === terminating
    })
  }
  await client.create(deployments, namespace, {
    metadata: { name, namespace, annotations },
    spec: {
      replicas: 100,
      paused: true,
      strategy: { rollingUpdate: { maxSurge: 10, maxUnavailable: 0 } },
      selector: { matchLabels: { app: name } },
      template: template(images[0]!),
    },
  } as unknown as Deployment)
  const observed = () =>
    until(`the last change of ${name} is observed`, async () => {
      const { status, metadata } = await client.get(deployments, { namespace, name })
      return status?.observedGeneration === metadata.generation
    })
  await until(`${name} has adopted its sets`, async () =>
    (await setsOf(client, name)).every(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.kind === 'Deployment')),
  )
  await observed()
  const change = async (spec: object) => {
    await client.patch(deployments, { namespace, name }, 'merge', { spec })
    await observed()
  }
  await change({ paused: false })

  const byAge = async () => [...(await setsOf(client, name))].sort((a, b) => (a.metadata.name < b.metadata.name ? 1 : -1))
  return {
    client,
    name,
    peak: () => count.peak,
    scale: (replicas) => change({ replicas }),
    async leaveTerminating(left) {
      const waiting = (await podsOf(client, name)).filter(isTerminating)
      for (const pod of waiting.slice(left))
        await client.patch(pods, { namespace, name: pod.metadata.name }, 'merge', { metadata: { finalizers: null } })
    },
    async reaches(expected, before) {
      await until(`${name} has the sizes ${expected.join('/')}`, async () => {
        const { status } = await client.get(deployments, { namespace, name })
        const all = await byAge()
        // The ReplicaSets have as many pods as they request.
        const isSettled = all.every(({ spec, status: own }) => spec?.replicas === own?.replicas)
        return isSettled && all.every(({ spec }, index) => spec?.replicas === expected[index]) && status?.replicas === sum(expected)
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}; it has ${(await byAge()).map(({ spec }) => spec?.replicas).join('/')}`)
      })
      expect((await byAge()).map((set) => annotationOf(set, 'replicaset-replicas-before-scale'))).toEqual(before)
    },
    stop() {
      count.stop()
    },
  }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
