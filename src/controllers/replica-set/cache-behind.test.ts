import { describe, expect, it } from 'vitest'
import { pods, replicaSets } from '../../api/kinds.ts'
import type { ReplicaSet } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { bench, createPod, createSet, names, open, patchPod, patchSet, readSet, untilStatus } from './testing/replica-set-bench.ts'

describe('the ReplicaSet controller with a cache that is behind', () => {
  it('does not adopt for a set that is being deleted, even if the cache has not observed the deletion', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 0 })
    watches.deliver()
    await untilStatus({ replicas: 0 })
    watches.deliver()
    await patchSet({ metadata: { finalizers: ['example.com/hold'] } })
    watches.deliver()
    await bench().settle()
    await bench().client.delete(replicaSets, { namespace: 'default', name: 'a' })
    await createPod('orphan')
    watches.deliver(pods.plural)
    await bench().until('it has tried', () => bench().failures.length > 0)
    expect(bench().failures[0]).toMatch(/^ReplicaSet default\/a: default\/a has just been deleted at /)
    expect((await bench().podsOf())[0]?.metadata.ownerReferences).toBeUndefined()
  })

  it('reports an adopted pod before the cache has observed it, also where it deletes the pod', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 0 })
    watches.deliver()
    await untilStatus({ replicas: 0 })
    watches.deliver()
    await bench().report(await createPod('orphan'), 'ready')
    watches.deliver(pods.plural)
    await bench().until('it has adopted the pod', async () => (await bench().podsOf())[0]?.metadata.ownerReferences !== undefined)
    await bench().settle()
    expect((await readSet()).status?.replicas).toBe(1)
  })

  it('never creates too many', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 10 })
    watches.deliver()
    await bench().until('pods are created', async () => (await bench().podsOf()).length === 10)
    // The cache observes many changes of the set, and its pods one by one.
    for (let touches = 0; touches < 12; touches++) {
      await patchSet({ metadata: { annotations: { touched: String(touches) } } })
      watches.deliver('replicasets')
      watches.deliver('pods', 1)
      await bench().settle()
      expect(await bench().podsOf()).toHaveLength(10)
    }
    watches.deliver()
    await untilStatusOf(watches, { replicas: 10 })
  })

  it('reports no new generation until the cache has observed its writes', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 5 })
    watches.deliver()
    await bench().until('pods are created', async () => (await bench().podsOf()).length === 5)
    await patchSet({ spec: { replicas: 2 } })
    watches.deliver('replicasets')
    watches.deliver('pods', 3)
    await bench().settle()
    watches.deliver('replicasets')
    await bench().settle()
    expect((await readSet()).status?.observedGeneration).toBeUndefined()
    const { status } = await bench().until('it has observed it', async () => {
      watches.deliver()
      const set = await readSet()
      return set.status?.observedGeneration === 2 && set
    })
    expect(status).toMatchObject({ replicas: 2 })
  })

  it('never deletes too many', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 10 })
    watches.deliver()
    await untilStatusOf(watches, { replicas: 10 })
    await patchSet({ spec: { replicas: 4 } })
    watches.deliver('replicasets')
    await bench().until('pods are deleted', async () => (await bench().podsOf()).length === 4)
    for (let touches = 0; touches < 8; touches++) {
      await patchSet({ metadata: { annotations: { touched: String(touches) } } })
      watches.deliver('replicasets')
      watches.deliver('pods', 1)
      await bench().settle()
      expect(await bench().podsOf()).toHaveLength(4)
    }
    await untilStatusOf(watches, { replicas: 4 })
  })

  it('writes its status, and waits, while the cache has a pod that is gone', async () => {
    let deletions = 0
    const watches = slowWatches()
    const wrapClient = (client: Client): Client => ({
      ...watches.wrap(client),
      delete: (...given) => {
        deletions++
        return client.delete(...given)
      },
    })
    await open({ wrapClient })
    await createSet({ replicas: 1 })
    await untilStatusOf(watches, { replicas: 1 })
    await patchSet({ spec: { replicas: 0 } })
    const [pod] = names(await bench().podsOf())
    await bench().client.delete(pods, { namespace: 'default', name: pod! })
    watches.deliver('replicasets')
    await bench().until('it has observed the change', async () => (await readSet()).status?.observedGeneration === 2)
    await bench().settle()
    expect(deletions).toBe(1)
  })

  it('gives up after five minutes on pods that the cache never observes', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    await createSet({ replicas: 2 })
    watches.deliver()
    await bench().until('pods are created', async () => (await bench().podsOf()).length === 2)
    watches.drop('pods')
    for (const name of names(await bench().podsOf())) await bench().client.delete(pods, { namespace: 'default', name })
    watches.drop('pods')
    watches.deliver()
    await bench().settle()
    expect(await bench().podsOf()).toHaveLength(0)
    bench().pass(301_000)
    await bench().until('pods are created again', async () => (await bench().podsOf()).length === 2)
  })

  it('replaces the successor of a lost pod that is lost too before the cache has observed it', async () => {
    const watches = slowWatches()
    await open({ wrapClient: watches.wrap })
    const lose = (name: string) => bench().client.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 })
    await createSet({ replicas: 2 })
    await untilStatusOf(watches, { replicas: 2 })
    watches.deliver()
    await bench().settle()
    const [kept, lost] = names(await bench().podsOf())
    await lose(lost!)
    watches.deliver('pods')
    await bench().until('the loss is reported', async () => (await readSet()).status?.replicas === 1)
    await bench().settle()
    const [successor] = names(await bench().podsOf()).filter((name) => name !== kept)
    await lose(successor!)
    // A watch that ends meanwhile and resumes from a list reports neither the creation nor the deletion.
    watches.drop('pods')
    watches.deliver('replicasets')
    await patchPod(kept!, { metadata: { annotations: { touched: 'true' } } })
    watches.deliver('pods')
    await bench().settle()
    expect(await bench().podsOf()).toHaveLength(2)
  })
})

/** Watches whose events wait until a test delivers or drops them. */
function slowWatches() {
  const waiting: { readonly plural: string; readonly deliver: () => void }[] = []
  const take = (plural: string | undefined, count: number) => {
    const taken = waiting.filter((one) => plural === undefined || one.plural === plural).slice(0, count)
    for (const one of taken) waiting.splice(waiting.indexOf(one), 1)
    return taken
  }
  return {
    wrap: (client: Client): Client => ({
      ...client,
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => {
            for (const event of events) waiting.push({ plural: resource.plural, deliver: () => handlers.onEvents([event]) })
          },
        }),
    }),
    deliver: (plural?: string, count = Number.POSITIVE_INFINITY) => {
      for (const { deliver } of take(plural, count)) deliver()
    },
    drop: (plural: string) => void take(plural, Number.POSITIVE_INFINITY),
  }
}

const untilStatusOf = (watches: ReturnType<typeof slowWatches>, status: NonNullable<ReplicaSet['status']>) =>
  bench().until('the status is written', async () => {
    watches.deliver()
    return (await readSet()).status?.replicas === status.replicas
  })
