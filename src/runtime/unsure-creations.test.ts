import { describe, expect, it } from 'vitest'
import { daemonSets, jobs, nodes, pods, replicaSets } from '../api/kinds.ts'
import { internalError } from '../api/status-error.ts'
import type { DaemonSet, Job, Node, Pod, ReplicaSet } from '../api/types.ts'
import type { Client } from '../client/client.ts'
import { openControllerBench } from '../cluster/testing.ts'
import { startDaemonSetController } from '../controllers/daemon-set/daemon-set-controller.ts'
import { startJobController } from '../controllers/job/job-controller.ts'
import { startReplicaSetController } from '../controllers/replica-set/replica-set-controller.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx' }], restartPolicy: 'Always' } }
const selector = { matchLabels: { app: 'x' } }
const owners = {
  ReplicaSet: {
    start: startReplicaSetController,
    create: (client: Client) =>
      client.create(replicaSets, 'default', { metadata: { name: 'a' }, spec: { replicas: 3, selector, template } } as ReplicaSet),
  },
  DaemonSet: {
    start: startDaemonSetController,
    create: async (client: Client) => {
      for (const name of ['n1', 'n2', 'n3']) await client.create(nodes, undefined, { metadata: { name } } as Node)
      return client.create(daemonSets, 'default', { metadata: { name: 'a' }, spec: { selector, template } } as DaemonSet)
    },
  },
  Job: {
    start: startJobController,
    create: (client: Client) =>
      client.create(jobs, 'default', {
        metadata: { name: 'a' },
        spec: { parallelism: 3, completions: 3, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      } as Job),
  },
}

describe('a creation whose answer is lost', () => {
  it.each(Object.entries(owners))('makes no second pod of a %s', async (_, { start, create }) => {
    let losing = 2
    const seen: number[] = []
    const bench = await openControllerBench({
      start,
      wrapClient: (client): Client => ({
        ...client,
        create: async (resource, namespace, object, write) => {
          const created = await client.create(resource, namespace, object, write)
          if (resource.plural === 'pods' && losing-- > 0) throw internalError('the answer is lost')
          return created
        },
      }),
    })
    const living = new Set<string>()
    bench.client.watch(
      pods,
      { resourceVersion: String(bench.store.revision) },
      {
        onEvents: (events) => {
          for (const { type, object } of events) {
            if (type === 'DELETED') living.delete((object as Pod).metadata?.uid ?? '')
            else living.add((object as Pod).metadata?.uid ?? '')
            seen.push(living.size)
          }
        },
        onEnd: () => {},
      },
    )
    await create(bench.client)
    for (let turn = 0; turn < 20; turn++) {
      await bench.settle()
      bench.pass(1000)
    }
    await bench.settle()
    expect(await bench.podsOf()).toHaveLength(3)
    expect(Math.max(...seen)).toBe(3)
    expect(losing).toBeLessThanOrEqual(0)
    await bench.stop()
  })

  it('does not wait for a pod that went while the server was asked', async () => {
    let isFailing = false
    let onList: (() => Promise<void>) | undefined
    const bench = await openControllerBench({
      start: startReplicaSetController,
      wrapClient: (client): Client => ({
        ...client,
        create: async (resource, namespace, object, write) => {
          if (resource.plural !== 'pods' || !isFailing) return client.create(resource, namespace, object, write)
          isFailing = false
          throw internalError('not carried out')
        },
        list: async (resource, request) => {
          const answer = await client.list(resource, request)
          if (resource.plural === 'pods') await onList?.()
          return answer
        },
      }),
    })
    await owners.ReplicaSet.create(bench.client)
    await bench.settle()
    const [first, second] = await bench.podsOf()
    const remove = (name = '') => bench.client.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 })
    isFailing = true
    onList = async () => {
      onList = undefined
      await remove(second?.metadata?.name)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await remove(first?.metadata?.name)
    for (let turn = 0; turn < 20; turn++) {
      await bench.settle()
      bench.pass(1000)
    }
    expect(onList).toBeUndefined()
    expect(await bench.podsOf()).toHaveLength(3)
    await bench.stop()
  })
})
