import { describe, expect, it } from 'vitest'
import { withoutDuplicates } from './duplicate-objects.ts'
import { makePlan } from './make-plan.ts'
import type { PlannedObject } from './plan.ts'

const planned = (source: string, kind: string, name: string | undefined, spec: object = {}): PlannedObject => ({
  object: {
    apiVersion: 'v1',
    kind,
    metadata: { namespace: 'default', ...(name !== undefined && { name }) },
    spec,
  } as PlannedObject['object'],
  place: { source, line: 1, column: 1 },
})
const web = planned('a.yaml', 'Deployment', 'web', { replicas: 3 })

describe('withoutDuplicates()', () => {
  it.each<[string, PlannedObject[], number[]]>([
    ['an equal workload once', [web, { ...web, place: { source: 'b.yaml' } }], [0]],
    ['workloads of two names', [web, planned('a.yaml', 'Deployment', 'api')], [0, 1]],
    ['one name of two kinds', [web, planned('a.yaml', 'StatefulSet', 'web')], [0, 1]],
    ['objects whose name the server chooses', [planned('a.yaml', 'Job', undefined), planned('a.yaml', 'Job', undefined)], [0, 1]],
    ['versions of another object', [planned('a.yaml', 'Quota', 'q', { a: 1 }), planned('b.yaml', 'Quota', 'q', { a: 2 })], [0, 1]],
  ])('keeps %s', (_, objects, kept) => {
    expect(withoutDuplicates(objects)).toEqual(kept.map((index) => objects[index]))
  })

  it('refuses two versions of one workload', () => {
    expect(() => withoutDuplicates([web, planned('b.yaml', 'Deployment', 'web', { replicas: 4 })])).toThrow(
      'b.yaml:1:1: Deployment web is in a.yaml:1:1 too, and differs. Leave one out, or give the file with the new one to --to',
    )
  })
})

describe('makePlan()', () => {
  it.each([
    ['a manifest', 'deployment.yaml', ['image=web:2']],
    ['a scenario', 'table-1.yaml', []],
  ])('reads %s once that is given twice', async (_, name, to) => {
    const file = `examples/simulate/kep-5882/${name}`
    const planOf = (...files: string[]) => makePlan({ files, to, scale: [], faults: [], expect: [], command: '' })
    expect(await planOf(file, `./${file}`)).toEqual(await planOf(file))
  })
})
