import { describe, expect, it } from 'vitest'
import { jobs, replicaSets, serviceAccounts } from '../../api/kinds.ts'
import type { DeleteQuery, ObjectResponse } from './rest.ts'
import { configMap, configMapKind, namespaceKind, openBench, options, pod, podKind, refusal, shown } from './testing/rest-bench.ts'

const metadataOf = (deleted: unknown) => (deleted as ObjectResponse).object.metadata

describe('delete', () => {
  it('returns a Status for most kinds, and the object for some', async () => {
    const { rest, create } = await openBench()
    const { metadata } = await create(configMapKind, configMap('a'))
    expect(await rest.delete(configMapKind, 'default', 'a', options)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata?.uid },
    })
    expect(await refusal(rest.delete(configMapKind, 'default', 'a', options))).toMatchObject({ code: 404 })
    await create(serviceAccounts, { metadata: { name: 's' } })
    expect(metadataOf(await rest.delete(serviceAccounts, 'default', 's', options))?.name).toBe('s')
  })

  it('waits between the mark of a pod without a node and its removal', async () => {
    let release = () => {}
    const betweenWrites = () => new Promise<void>((resolve) => (release = resolve))
    const { rest, create, watch } = await openBench({ betweenWrites })
    await create(podKind, pod('a'))
    const { events } = watch(podKind, 'default')
    const deleted = rest.delete(podKind, 'default', 'a', options)
    await expect.poll(() => shown(events)).toEqual(['ADDED a', 'MODIFIED a'])
    release()
    await deleted
    expect(shown(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
  })

  it('checks its preconditions', async () => {
    const { rest, create } = await openBench()
    const { metadata } = await create(configMapKind, configMap('a'))
    const remove = (preconditions: NonNullable<DeleteQuery['preconditions']>) =>
      rest.delete(configMapKind, 'default', 'a', { ...options, preconditions })
    expect(await refusal(remove({ uid: 'other' }))).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${metadata?.uid}). The object might have been deleted and then recreated`,
      details: { name: 'a', kind: 'ConfigMap' },
    })
    expect(await refusal(remove({ resourceVersion: '1' }))).toMatchObject({
      message:
        'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (3). The object might have been modified',
    })
    await remove({ uid: metadata?.uid ?? '', resourceVersion: '3' })
  })

  it('waits for finalizers', async () => {
    const { rest, create, store } = await openBench()
    await create(configMapKind, configMap('a', {}, { finalizers: ['x.example/f'] }))
    expect(metadataOf(await rest.delete(configMapKind, 'default', 'a', options))).toMatchObject({
      deletionTimestamp: '2026-11-01T12:00:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers: ['x.example/f'],
    })
    const { revision } = store
    expect(metadataOf(await rest.delete(configMapKind, 'default', 'a', options))?.name).toBe('a')
    expect(store.revision).toBe(revision)
  })

  it.each<[string, Partial<DeleteQuery>, string[] | undefined]>([
    ['in the background', { propagationPolicy: 'Background' }, undefined],
    ['in the foreground', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    ['to orphans', { propagationPolicy: 'Orphan' }, ['orphan']],
    ['to orphans, the old way', { orphanDependents: true }, ['orphan']],
    ['as usual', {}, undefined],
  ])('deletes dependents %s', async (_, query, finalizers) => {
    const { rest, create } = await openBench()
    const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
    await create(replicaSets, { metadata: { name: 'r' }, spec: { selector: { matchLabels: { app: 'x' } }, template } })
    const deleted = await rest.delete(replicaSets, 'default', 'r', { ...options, ...query })
    if (finalizers === undefined) expect(deleted).toMatchObject({ status: 'Success' })
    else expect(metadataOf(deleted)).toMatchObject({ finalizers, generation: 2, deletionGracePeriodSeconds: 0 })
  })

  it('orphans the pods of a Job that is deleted without a wish', async () => {
    const { rest, create } = await openBench()
    const template = { spec: { ...pod('').spec, restartPolicy: 'Never' } }
    await create(jobs, { metadata: { name: 'j' }, spec: { template } })
    expect(metadataOf(await rest.delete(jobs, 'default', 'j', options))?.finalizers).toEqual(['orphan'])
  })

  it('replaces an earlier wish', async () => {
    const { rest, create } = await openBench()
    await create(configMapKind, configMap('a'))
    await rest.delete(configMapKind, 'default', 'a', { ...options, propagationPolicy: 'Foreground' })
    const again = await rest.delete(configMapKind, 'default', 'a', { ...options, propagationPolicy: 'Orphan' })
    expect(metadataOf(again)?.finalizers).toEqual(['orphan'])
    expect(await rest.delete(configMapKind, 'default', 'a', { ...options, propagationPolicy: 'Background' })).toMatchObject({
      status: 'Success',
    })
  })

  it.each([
    [
      'two wishes',
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      'an unknown wish',
      { propagationPolicy: 'X' },
      'propagationPolicy: Unsupported value: "X": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
  ])('refuses %s', async (_, query, message) => {
    const { rest } = await openBench()
    const status = await refusal(rest.delete(configMapKind, 'default', 'a', { ...options, ...query }))
    expect(status).toMatchObject({ code: 422, message: `DeleteOptions.meta.k8s.io "" is invalid: ${message}` })
  })

  it('does nothing in a dry run', async () => {
    const { rest, create, store } = await openBench()
    await create(configMapKind, configMap('a'))
    await create(podKind, pod('p', { nodeName: 'n' }))
    const { revision } = store
    const dry = { ...options, dryRun: true }
    expect(await rest.delete(configMapKind, 'default', 'a', dry)).toMatchObject({ status: 'Success' })
    expect(metadataOf(await rest.delete(podKind, 'default', 'p', dry))?.deletionTimestamp).toBeDefined()
    expect(store.revision).toBe(revision)
  })
})

describe('graceful deletion', () => {
  async function openPod(spec: object = { nodeName: 'n', terminationGracePeriodSeconds: 20 }) {
    const bench = await openBench()
    await bench.create(podKind, pod('p', spec))
    const remove = (gracePeriodSeconds?: number) =>
      bench.rest.delete(podKind, 'default', 'p', { ...options, ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) })
    return { ...bench, remove }
  }

  it('marks the pod with its grace period', async () => {
    const { remove } = await openPod()
    expect(metadataOf(await remove())).toMatchObject({
      generation: 2,
      deletionTimestamp: '2026-11-01T12:00:20Z',
      deletionGracePeriodSeconds: 20,
    })
  })

  it.each([
    [2 ** 53, '2172-12-21T11:53:38Z'],
    [2 ** 34, '1986-09-09T14:18:30Z'],
  ])('counts %i seconds as Go does, in nanoseconds of 64 bits', async (seconds, deletionTimestamp) => {
    const { remove } = await openPod()
    expect(metadataOf(await remove(seconds))).toMatchObject({ deletionTimestamp, deletionGracePeriodSeconds: seconds })
    expect(metadataOf(await remove(5))).toMatchObject({ deletionGracePeriodSeconds: 5 })
  })

  it('shortens it, and never lengthens it', async () => {
    const { remove, clock, store } = await openPod()
    await remove()
    const { revision } = store
    expect(metadataOf(await remove(60))).toMatchObject({ deletionGracePeriodSeconds: 20 })
    expect(metadataOf(await remove())).toMatchObject({ deletionGracePeriodSeconds: 20 })
    expect(store.revision).toBe(revision)
    clock.pass(2000)
    expect(metadataOf(await remove(5))).toMatchObject({
      generation: 2,
      deletionTimestamp: '2026-11-01T12:00:05Z',
      deletionGracePeriodSeconds: 5,
    })
    clock.pass(8000)
    expect(metadataOf(await remove(3))).toMatchObject({ deletionTimestamp: '2026-11-01T12:00:10Z', deletionGracePeriodSeconds: 1 })
  })

  it('removes it at once with no grace, which watchers see in two steps', async () => {
    const { rest, remove, watch } = await openPod()
    const { events } = watch(podKind, 'default')
    const deleted = metadataOf(await remove(0))
    expect(deleted).toMatchObject({ deletionGracePeriodSeconds: 0, resourceVersion: '5' })
    expect(shown(events)).toEqual(['ADDED p', 'MODIFIED p', 'DELETED p'])
    expect(await refusal(() => rest.get(podKind, 'default', 'p'))).toMatchObject({ code: 404 })
  })

  it('keeps its version precondition through both steps', async () => {
    const { rest } = await openPod()
    await rest.delete(podKind, 'default', 'p', { ...options, gracePeriodSeconds: 0, preconditions: { resourceVersion: '3' } })
    expect(await refusal(() => rest.get(podKind, 'default', 'p'))).toMatchObject({ code: 404 })
  })

  it('removes a pod without a node at once', async () => {
    const { rest, remove } = await openPod({})
    await remove()
    expect(await refusal(() => rest.get(podKind, 'default', 'p'))).toMatchObject({ code: 404 })
  })
})

describe('deletion of a namespace', () => {
  it('marks it and waits', async () => {
    const { rest, create } = await openBench()
    await create(namespaceKind, { metadata: { name: 'n' } })
    const deleted = (await rest.delete(namespaceKind, '', 'n', options)) as ObjectResponse
    expect(deleted.object).toMatchObject({ status: { phase: 'Terminating' }, metadata: { deletionTimestamp: '2026-11-01T12:00:00Z' } })
    expect((await rest.delete(namespaceKind, '', 'n', options)) as ObjectResponse).toBe(rest.get(namespaceKind, '', 'n'))
  })

  it('protects the ones that a cluster needs', async () => {
    const { rest } = await openBench()
    expect(await refusal(rest.delete(namespaceKind, '', 'default', options))).toMatchObject({
      code: 403,
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    })
  })
})

describe('deletecollection', () => {
  it('returns the deleted objects, and deletes only the selected ones', async () => {
    const { rest, create } = await openBench()
    await create(configMapKind, configMap('a', {}, { labels: { k: '1' } }))
    await create(configMapKind, configMap('b', {}, { labels: { k: '2' } }))
    const { items } = await rest.deleteCollection(configMapKind, 'default', { labelSelector: 'k=1' }, options)
    expect(items.map(({ object }) => [object.metadata?.name, object.metadata?.deletionTimestamp])).toEqual([['a', undefined]])
    expect(rest.list(configMapKind, 'default', {}).items.map(({ object }) => object.metadata?.name)).toEqual(['b'])
  })
})
