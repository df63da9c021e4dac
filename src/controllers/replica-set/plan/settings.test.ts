import { describe, expect, it } from 'vitest'
import { controllerOf, gates, setOf } from '../testing/sample-objects.ts'
import { settingsOf } from './settings.ts'

describe('settingsOf()', () => {
  const asActive = 'rollcall.dev/terminating-as-active'
  it.each([
    ['the field', setOf({ terminatingAsActive: true }), true, 0],
    ['the annotation', setOf({}, undefined, { [asActive]: 'true' }), true, 0],
    ['the field over the annotation', setOf({ terminatingAsActive: false }, undefined, { [asActive]: 'true' }), false, 0],
    ['nothing from an annotation that cannot be read', setOf({}, undefined, { [asActive]: 'yes' }), false, 1],
  ])('reads terminatingAsActive: %s', (_, set, expected, problems) => {
    const result = settingsOf('ReplicaSet', set, gates)
    expect(result.terminatingAsActive).toBe(expected)
    expect(result.problems).toHaveLength(problems)
  })

  it('ignores terminatingAsActive while its gate is off', () => {
    const off = { ...gates, TerminatingAsActive: false }
    expect(settingsOf('ReplicaSet', setOf({ terminatingAsActive: true }), off).terminatingAsActive).toBe(false)
    expect(settingsOf('ReplicaSet', setOf({}, undefined, { [asActive]: 'yes' }), off).problems).toEqual([])
  })

  it.each([
    ['5', 5, 0],
    ['25%', '25%', 0],
    ['101%', '100%', 1],
    ['-1', '100%', 1],
    ['many', '100%', 1],
  ])('reads a threshold of %j from the annotation as %j', (text, expected, problems) => {
    const set = setOf({}, undefined, { 'rollcall.dev/operational-threshold': text })
    const result = settingsOf('ReplicaSet', set, { ...gates, ExtendedWorkloadConditions: true })
    expect(result.operationalThreshold).toBe(expected)
    expect(result.problems).toHaveLength(problems)
    expect(settingsOf('ReplicaSet', set, gates).operationalThreshold).toBeUndefined()
  })

  it('uses the labels of a ReplicationController as its selector; without any it selects nothing', () => {
    const { requirements, countsTerminating } = settingsOf('ReplicationController', controllerOf({ app: 'x' }), gates)
    expect(requirements).toEqual([{ key: 'app', operator: '=', values: ['x'] }])
    expect(countsTerminating).toBe(false)
    expect(settingsOf('ReplicationController', controllerOf({}), gates).requirements).toBeUndefined()
  })

  it('has no requirements where the selector cannot be read', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Like', values: ['x'] }] }
    expect(settingsOf('ReplicaSet', setOf({ selector }), gates).requirements).toBeUndefined()
    expect(settingsOf('ReplicaSet', setOf({ selector: {} }), gates).requirements).toEqual([])
  })
})
