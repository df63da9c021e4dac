// What Kubernetes answers where its ways are not plain from one rule.
import { describe, expect, it } from 'vitest'
import {
  configMaps,
  coreEvents,
  daemonSets,
  deployments,
  jobs,
  nodes,
  persistentVolumeClaims,
  priorityClasses,
  services,
} from '../../api/kinds.ts'
import type { Job, ObjectMeta } from '../../api/types.ts'
import { asKind, type Bench, configMap, input, openBench, options, pod, podKind, refusal } from './testing.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
const workload = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { app: 'x' } }, template } }
const job = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: { template: { spec: { ...pod('').spec, restartPolicy: 'Never' }, ...more } },
})
const fieldsOf = (causes: readonly { readonly field?: string }[] | undefined) => causes?.map(({ field }) => field)

describe('metadata on an update', () => {
  const label = 'metadata.labels'
  it.each([
    ['Deployment', deployments, workload, 3],
    ['Pod', podKind, pod('a'), 4],
    ['Job', jobs, job('a'), 4],
    ['ConfigMap', configMaps, configMap('a'), 4],
    [
      'PersistentVolumeClaim',
      persistentVolumeClaims,
      { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      4,
    ],
    ['Node', nodes, { metadata: { name: 'a' } }, 4],
    ['Service', services, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } }, 3],
    ['PriorityClass', priorityClasses, { metadata: { name: 'a' }, value: 5 }, 3],
  ])('is judged as often as Kubernetes judges it: %s', async (_name, kind, object, times) => {
    const { rest, create } = await openBench()
    await create(asKind(kind), object)
    const namespace = asKind(kind).namespaced ? 'default' : ''
    const patch = { metadata: { labels: { 'a b': 'x' } } }
    const status = await refusal(rest.patch(asKind(kind), namespace, 'a', undefined, 'merge', input(patch), options))
    expect(fieldsOf(status.details?.causes)).toEqual(Array(times).fill(label))
  })
})

describe('a Job', () => {
  it('is told once of a name that is too long for its pods, where it has their labels', async () => {
    const { create } = await openBench()
    const status = await refusal(create(asKind(jobs), job('a'.repeat(64))))
    expect(fieldsOf(status.details?.causes)).toEqual(['spec.template.labels', 'spec.template.labels'])
    expect(status.message).toBe(
      `Job.batch "${'a'.repeat(64)}" is invalid: spec.template.labels: Invalid value: "${'a'.repeat(64)}": must be no more than 63 bytes`,
    )
  })

  it('has the labels that its pods were given', async () => {
    const { create } = await openBench()
    const given = (await create(asKind(jobs), job('a', { metadata: { labels: { app: 'x' } } }))) as Job
    expect(given.metadata?.labels).toEqual({ app: 'x' })
    const made = (await create(asKind(jobs), job('b'))) as Job
    expect(made.metadata?.labels).toEqual(made.spec?.template.metadata?.labels)
  })
})

describe('a DaemonSet', () => {
  const annotation = 'f:deprecated.daemonset.template.generation'
  const ownersOf = ({ managedFields = [] }: ObjectMeta) =>
    managedFields.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes(annotation)).map(({ manager }) => manager)

  it('gives the count of its templates to those who write the set without it', async () => {
    const { rest, create } = await openBench()
    const made = await create(asKind(daemonSets), workload)
    expect(ownersOf(made.metadata ?? {})).toEqual(['test'])
    const patched = { metadata: { labels: { a: 'b' } } }
    const other = { ...options, manager: 'other' }
    const patch = await rest.patch(asKind(daemonSets), 'default', 'a', undefined, 'merge', input(patched), other)
    expect(ownersOf(patch.answer.object.metadata ?? {})).toEqual(['test'])
    const put = await rest.update(asKind(daemonSets), 'default', 'a', undefined, input(workload), other)
    expect(ownersOf(put.answer.object.metadata ?? {})).toEqual(['other'])
    expect(put.answer.object.metadata?.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
  })
})

describe('an Event', () => {
  it.each(['Orphan', 'Foreground'] as const)('waits for no garbage collector: %s', async (propagationPolicy) => {
    const { rest, create } = await openBench()
    await create(asKind(coreEvents), { metadata: { name: 'a' }, involvedObject: { namespace: 'default' } })
    const answer = await rest.delete(asKind(coreEvents), 'default', 'a', { ...options, propagationPolicy })
    expect(answer).toMatchObject({ kind: 'Status', status: 'Success' })
  })
})

describe('an apply that changes nothing', () => {
  async function openApplied(): Promise<Bench> {
    const bench = await openBench()
    await bench.create(asKind(deployments), workload)
    const status = { status: { conditions: [{ type: 'Available', status: 'True' }] } }
    await bench.rest.patch(asKind(deployments), 'default', 'a', 'status', 'merge', input(status), options)
    return bench
  }

  it('leaves no time, also where the object has times that are not set', async () => {
    const { rest } = await openApplied()
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 1 } }
    const query = { ...options, manager: 'applier', force: false }
    const { answer } = await rest.patch(asKind(deployments), 'default', 'a', undefined, 'apply', input(applied), query)
    const [first] = answer.object.metadata?.managedFields ?? []
    expect(first).toEqual({
      manager: 'applier',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
  })
})
