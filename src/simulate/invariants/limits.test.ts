import { describe, expect, it } from 'vitest'
import { cronJobs, jobs, pods, replicaSets, resourceQuotas } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { checkConcurrency, checkQuotas, checkSets, type LimitCheck } from './limits.ts'

const change = (verb: Change['verb'], kind: { readonly plural: string }, name: string, more: object = {}): Change => {
  const { metadata, ...rest } = more as { metadata?: object }
  const object = { metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...metadata }, ...rest }
  return {
    verb,
    kind: kind as Kind,
    key: `default/${name}`,
    revision: 1,
    object: object as unknown as Stored<KubernetesObject>,
    controller: controllerOf(object),
  }
}
const breachesOf = (check: LimitCheck, changes: readonly Change[]) => changes.map(check).filter((breach) => breach !== undefined)
const quota = (most: string, verb: Change['verb'] = 'create') => change(verb, resourceQuotas, 'q', { spec: { hard: { pods: most } } })

describe('checkQuotas()', () => {
  it.each<[string, Change[], string[]]>([
    ['as many as allowed', [quota('2'), change('create', pods, 'a'), change('create', pods, 'b')], []],
    [
      'one too many',
      [quota('1'), change('create', pods, 'a'), change('create', pods, 'b')],
      ['pod default/b is number 2 where a quota allows 1'],
    ],
    ['a quota that comes later', [change('create', pods, 'a'), change('create', pods, 'b'), quota('1')], []],
    ['a quota that was deleted', [quota('1'), change('create', pods, 'a'), quota('1', 'delete'), change('create', pods, 'b')], []],
    [
      'one that is over makes room',
      [quota('1'), change('create', pods, 'a'), change('update', pods, 'a', { status: { phase: 'Failed' } }), change('create', pods, 'b')],
      [],
    ],
  ])('%s', (_, changes, expected) => {
    expect(breachesOf(checkQuotas(), changes)).toEqual(expected)
  })
})

describe('checkConcurrency()', () => {
  const cron = (concurrencyPolicy: string) => change('create', cronJobs, 'c', { spec: { concurrencyPolicy } })
  const owned = (more: object = {}) => ({
    metadata: { ownerReferences: [{ kind: 'CronJob', name: 'c', uid: 'c', controller: true }] },
    ...more,
  })
  const ended = owned({ status: { conditions: [{ type: 'Complete', status: 'True' }] } })
  it.each<[string, Change[], string[]]>([
    ['Allow', [cron('Allow'), change('create', jobs, 'a', owned()), change('create', jobs, 'b', owned())], []],
    [
      'Forbid',
      [cron('Forbid'), change('create', jobs, 'a', owned()), change('create', jobs, 'b', owned())],
      ['Job default/b is number 2 at work where CronJob c wants one at a time'],
    ],
    [
      'one after the other',
      [cron('Forbid'), change('create', jobs, 'a', owned()), change('update', jobs, 'a', ended), change('create', jobs, 'b', owned())],
      [],
    ],
  ])('%s', (_, changes, expected) => {
    expect(breachesOf(checkConcurrency(), changes)).toEqual(expected)
  })
})

describe('checkSets(defaultFeatureGates)', () => {
  const set = (replicas: number, verb: Change['verb'] = 'update') => change(verb, replicaSets, 's', { spec: { replicas } })
  const pod = (name: string, verb: Change['verb'] = 'create', more: object = {}) =>
    change(verb, pods, name, { metadata: { ownerReferences: [{ kind: 'ReplicaSet', name: 's', uid: 's', controller: true }] }, ...more })
  const owners = [{ kind: 'ReplicaSet', name: 's', uid: 's', controller: true }]
  const terminating = (name: string) =>
    change('update', pods, name, { metadata: { ownerReferences: owners, deletionTimestamp: '2026-01-01T00:00:00Z' } })
  const waiting = (annotations: Record<string, string> = {}) =>
    change('update', replicaSets, 's', { metadata: { annotations }, spec: { replicas: 1, terminatingAsActive: true } })
  it.each<[string, Change[], string[]]>([
    ['as many as asked for', [set(2), pod('a'), pod('b')], []],
    ['one too many', [set(1), pod('a'), pod('b')], ['pod default/b is number 2 of ReplicaSet s, which was never asked for more than 1']],
    ['one that was orphaned is replaced', [set(1), pod('a'), change('update', pods, 'a', {}), pod('b')], []],
    ['asked for before', [set(2), set(1), pod('a'), pod('b')], []],
    ['one that failed is replaced', [set(1), pod('a'), pod('a', 'update', { status: { phase: 'Failed' } }), pod('b')], []],
    ['one that terminates is replaced', [set(1), pod('a'), terminating('a'), pod('b')], []],
    [
      'one that terminates is replaced though it counts as active',
      [waiting(), pod('a'), terminating('a'), pod('b')],
      ['pod default/b is created while 1 of ReplicaSet s terminate, which counts them as active and has 1 at most'],
    ],
    [
      'one that may be stuck is replaced',
      [waiting({ 'rollcall.dev/stuck-termination-timeout': '10s' }), pod('a'), terminating('a'), pod('b')],
      [],
    ],
  ])('%s', (_, changes, expected) => {
    expect(breachesOf(checkSets(defaultFeatureGates), changes)).toEqual(expected)
  })
})
