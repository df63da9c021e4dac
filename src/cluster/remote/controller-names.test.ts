import { expect, it } from 'vitest'
import { builtInNames, controllerNames, eventComponentOf } from './controller-names.ts'

it('events name the controllers of Kubernetes, of which one has another name than in --controllers', () => {
  const others = controllerNames.filter((name) => eventComponentOf(name) !== builtInNames[name])
  expect(others.map((name) => [name, eventComponentOf(name)])).toEqual([['replicationcontroller', 'replication-controller']])
})
