import { describe, expect, it } from 'vitest'
import { FightDetector, leftAloneMs } from './fight-detector.ts'

const counts = { 'f:status': { 'f:observedGeneration': {}, 'f:replicas': {}, 'f:conditions': {} } }
const conditions = { 'f:status': { 'f:conditions': { '.': {}, 'k:{"type":"Mine"}': {} } } }

function openDetector() {
  let nowMs = 0
  const clock = { now: () => nowMs, after: () => () => {} }
  const fights: string[] = []
  const detector = new FightDetector({
    clock,
    ownManager: 'rollcall',
    onFight: (kind, { metadata }, manager) => fights.push(`${kind} ${metadata?.name} ${manager}`),
  })
  const objectOf = (name: string, entries: readonly object[] = []) => ({
    metadata: { name, namespace: 'default', uid: name, managedFields: entries as never },
  })
  let count = 0
  /** The manager writes the status of the object. */
  const write = (name: string, manager = 'kube-controller-manager', fieldsV1: object = counts) => {
    count++
    detector.observe('Deployment', objectOf(name, [{ manager, subresource: 'status', time: `t${count}`, fieldsV1 }]))
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { pass, detector, fights, objectOf, write }
}

describe('FightDetector', () => {
  it('leaves an object alone after three writes of others within a minute, and no other object', () => {
    const { detector, fights, objectOf, write } = openDetector()
    for (const name of ['a', 'b']) detector.observe('Deployment', objectOf(name))
    write('a')
    write('a')
    write('b')
    expect(fights).toEqual([])
    write('a')
    expect(fights).toEqual(['Deployment a kube-controller-manager'])
    expect(detector.leftAloneMs(objectOf('a'))).toBe(leftAloneMs)
    expect(detector.leftAloneMs(objectOf('b'))).toBeUndefined()
    expect(detector.fights).toEqual(['Deployment default/a is left alone: "kube-controller-manager" also writes its status'])
  })

  it('tries again after a while', () => {
    const { pass, detector, fights, objectOf, write } = openDetector()
    detector.observe('Deployment', objectOf('a'))
    for (let count = 0; count < 10; count++) write('a')
    expect(fights).toHaveLength(1)
    pass(leftAloneMs)
    expect(detector.leftAloneMs(objectOf('a'))).toBeUndefined()
    expect(detector.fights).toEqual([])
    write('a')
    write('a')
    expect(fights).toHaveLength(1)
    write('a')
    expect(fights).toHaveLength(2)
  })

  it('counts the writes of all other managers together', () => {
    const { detector, fights, objectOf, write } = openDetector()
    detector.observe('Deployment', objectOf('a'))
    for (const manager of ['x', 'y', 'z']) write('a', manager)
    expect(fights).toEqual(['Deployment a z'])
  })

  it.each([
    ['its own writes', 'rollcall', counts],
    ['conditions of others', 'tenant', conditions],
    ['no fields', 'tenant', {}],
  ])('does not count %s', (_, manager, fieldsV1) => {
    const { detector, fights, objectOf, write } = openDetector()
    detector.observe('Deployment', objectOf('a'))
    for (let count = 0; count < 10; count++) write('a', manager, fieldsV1)
    expect(fights).toEqual([])
  })

  it('does not count what was written before the object was observed, nor writes in the course of hours', () => {
    const { pass, detector, fights, objectOf, write } = openDetector()
    write('a')
    write('a')
    write('a')
    expect(fights).toEqual([])
    pass(61_000)
    write('a')
    detector.observe('Deployment', objectOf('a'))
    expect(fights).toEqual([])
  })

  it('forgets a deleted object, and names ten at most', () => {
    const { detector, objectOf, write } = openDetector()
    for (let index = 0; index < 12; index++) {
      detector.observe('Deployment', objectOf(`d${index}`))
      for (let count = 0; count < 3; count++) write(`d${index}`)
    }
    expect(detector.fights).toHaveLength(11)
    expect(detector.fights.at(-1)).toBe('2 more objects are left alone')
    for (let index = 0; index < 11; index++) detector.forget(`d${index}`)
    expect(detector.fights).toHaveLength(1)
  })
})
