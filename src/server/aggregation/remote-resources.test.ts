import { expect, test } from 'vitest'
import { readResources } from './remote-resources.ts'

const animals = { name: 'animals', singularName: 'animal', namespaced: true, kind: 'Animal', verbs: ['get'] }

test('readResources() reads the resources of a list, without those that have no name', () => {
  expect(readResources(JSON.stringify({ kind: 'APIResourceList', resources: [animals, { kind: 'Nameless' }] }))).toEqual([animals])
})

test.each([
  ['no JSON', '{'],
  ['null', 'null'],
  ['no list', { resources: {} }],
  ['verbs of another type', { resources: [{ ...animals, verbs: 5 }] }],
  ['short names of another type', { resources: [{ ...animals, shortNames: { length: 1 } }] }],
  ['categories of another type', { resources: [{ ...animals, categories: [{}] }] }],
  ['a scope of another type', { resources: [{ ...animals, namespaced: 'yes' }] }],
  ['a resource of another type', { resources: [animals, 'others'] }],
])('readResources() refuses a list with %s, which typed clients could not read', (_name, given) => {
  expect(readResources(typeof given === 'string' ? given : JSON.stringify(given))).toBeUndefined()
})
