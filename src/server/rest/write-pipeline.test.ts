import { describe, expect, it } from 'vitest'
import { namespaces, replicaSets } from '../../api/kinds.ts'
import type { KubernetesObject, ReplicaSet, Stored } from '../../api/types.ts'
import { openMemoryStore } from '../../store/memory-store.ts'
import { createRest } from './create-rest.ts'
import type { WriteOptions } from './rest.ts'

const kind = replicaSets
const user: WriteOptions = { caller: { name: 'user', groups: [] }, manager: 'user' }

const labels = { app: 'web' }
const set: ReplicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c' }] } },
  },
}

async function start() {
  const rest = createRest({ store: openMemoryStore() })
  await rest.create(namespaces, '', { object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } } }, user)
  const { response: answer } = await rest.create(kind, 'default', { object: set }, user)
  const update = async (object: KubernetesObject, subresource?: string) =>
    (await rest.update(kind, 'default', 'web', subresource, { object }, user)).response.object as Stored<ReplicaSet>
  return { created: answer.object as Stored<ReplicaSet>, update }
}

describe('update() of what was read', () => {
  it('scales, and counts the generation', async () => {
    const { created, update } = await start()
    const scaled = await update({ ...created, spec: { ...created.spec!, replicas: 3 } } as KubernetesObject)
    const { resourceVersion, managedFields } = scaled.metadata
    expect(scaled).toEqual({
      ...created,
      metadata: { ...created.metadata, generation: 2, resourceVersion, managedFields },
      spec: { ...created.spec, replicas: 3 },
    })
    expect(Number(scaled.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion))
  })

  it('writes a status, and leaves out what is zero or undefined', async () => {
    const status = { replicas: 0, readyReplicas: 0, observedGeneration: 1, conditions: undefined }
    const { created, update } = await start()
    const written = await update({ ...created, status } as unknown as KubernetesObject, 'status')
    expect(written.status).toStrictEqual({ replicas: 0, observedGeneration: 1 })
    expect(written.metadata.generation).toBe(1)
    expect(written.spec).toBe(created.spec)
  })

  it('keeps the owners of fields that a writer leaves out', async () => {
    const { created, update } = await start()
    const { managedFields: _, ...metadata } = created.metadata
    const written = await update({ ...created, metadata, status: { replicas: 1 } } as KubernetesObject, 'status')
    expect(written.metadata.managedFields).toMatchObject([...created.metadata.managedFields!, { subresource: 'status' }])
  })

  it('writes nothing that is there already', async () => {
    const { created, update } = await start()
    expect(await update({ ...created, spec: { ...created.spec! } } as KubernetesObject)).toBe(created)
    expect(await update({ ...created, status: { ...created.status! } } as KubernetesObject, 'status')).toBe(created)
  })

  it('is refused where another was faster', async () => {
    const { created, update } = await start()
    const scaled = (replicas: number) => ({ ...created, spec: { ...created.spec!, replicas } }) as KubernetesObject
    const [first, second] = await Promise.allSettled([update(scaled(2)), update(scaled(3))])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { status: { code: 409, reason: 'Conflict' } } })
    await expect(update(scaled(4))).rejects.toMatchObject({ status: { code: 409 } })
    await expect(update({ ...created, status: { replicas: 1 } } as KubernetesObject, 'status')).rejects.toMatchObject({
      status: { code: 409 },
    })
  })

  it('is checked where it changes more than that', async () => {
    const { created, update } = await start()
    const selector = { matchLabels: { app: 'other' } }
    await expect(update({ ...created, spec: { ...created.spec!, selector } } as KubernetesObject)).rejects.toMatchObject({
      status: { code: 422 },
    })
    const labelled = await update({ ...created, metadata: { ...created.metadata, labels: { a: 'b' } } } as KubernetesObject)
    expect(labelled.metadata.labels).toEqual({ a: 'b' })
  })
})
