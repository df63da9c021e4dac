import { describe, expect, it } from 'vitest'
import { jobs, pods } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { checkJobs } from './job-rules.ts'

const change = (kind: { readonly plural: string }, name: string, more: object, verb: Change['verb']): Change => {
  const { metadata, ...rest } = more as { metadata?: object }
  const object = { metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...metadata }, ...rest }
  return {
    verb,
    kind,
    key: `default/${name}`,
    revision: 1,
    object: object as Stored<KubernetesObject>,
    controller: controllerOf(object),
  } as Change
}
const job = (spec: object, status: object = {}) => change(jobs, 'j', { spec: { parallelism: 2, ...spec }, status }, 'update')
const complete = { conditions: [{ type: 'Complete', status: 'True' }] }
const pod = (name: string, verb: Change['verb'], index?: number, metadata: object = {}, phase = 'Running') =>
  change(
    pods,
    name,
    {
      metadata: {
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
        ...(index !== undefined && { annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } }),
        ...metadata,
      },
      status: { phase },
    },
    verb,
  )
const going = { deletionTimestamp: 'now' }
const failed = { podReplacementPolicy: 'Failed' }

describe('checkJobs()', () => {
  it.each<[string, Change[], RegExp | undefined]>([
    ['two at a time', [job(failed), pod('a', 'create'), pod('b', 'create')], undefined],
    [
      'a pod is replaced while it terminates, which is allowed',
      [job({}), pod('a', 'create'), pod('b', 'create'), pod('a', 'update', undefined, going), pod('c', 'create')],
      undefined,
    ],
    [
      'a pod is replaced while it terminates, though the Job waits for it',
      [job(failed), pod('a', 'create'), pod('b', 'create'), pod('a', 'update', undefined, going), pod('c', 'create')],
      /c is number 3 of Job j, terminating ones included/,
    ],
    [
      'the same with the name of the draft',
      [job({ terminatingAsActive: true }), pod('a', 'create'), pod('b', 'create'), pod('c', 'create')],
      /c is number 3 of Job j/,
    ],
    [
      'an index is taken while its pod terminates',
      [job(failed), pod('a', 'create', 1), pod('a', 'update', 1, going), pod('b', 'create', 1)],
      /b is created before the last one of index 1 has terminated/,
    ],
    [
      'an index is taken when its pod has failed',
      [job(failed), pod('a', 'create', 1), pod('a', 'update', 1, going, 'Failed'), pod('b', 'create', 1)],
      undefined,
    ],
    ['it ends when its pods have', [job({}), pod('a', 'create'), pod('a', 'delete'), job({}, complete)], undefined],
    [
      'it ends before its pods have',
      [job({}), pod('a', 'create'), pod('a', 'update', undefined, going), job({}, complete)],
      /ended while 1 of its pods/,
    ],
  ])('%s', (_, changes, expected) => {
    const check = checkJobs()
    const found = changes.flatMap((one) => check(one) ?? [])
    if (expected === undefined) expect(found).toEqual([])
    else expect(found.join()).toMatch(expected)
  })
})
