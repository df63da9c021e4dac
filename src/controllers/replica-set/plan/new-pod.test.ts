import { describe, expect, it } from 'vitest'
import { controllerReference } from '../../../api/machinery/owners.ts'
import { setOf } from '../testing/sample-objects.ts'
import { podFromTemplate } from './new-pod.ts'

describe('podFromTemplate()', () => {
  const template = {
    metadata: { name: 'ignored', labels: { app: 'x' }, annotations: { a: 'b' }, finalizers: ['example.com/f'] },
    spec: { containers: [] },
  }
  const owner = controllerReference('apps/v1', 'ReplicaSet', setOf())

  it('copies labels, annotations and finalizers, and has a controller reference', () => {
    expect(podFromTemplate(template, 'web', owner)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'web-',
        labels: { app: 'x' },
        annotations: { a: 'b' },
        finalizers: ['example.com/f'],
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'set', controller: true, blockOwnerDeletion: true }],
      },
      spec: { containers: [] },
    })
  })

  it('leaves the dash out where there is no room', () => {
    expect(podFromTemplate(template, 'w'.repeat(253), owner).metadata?.generateName).toBe('w'.repeat(253))
    expect(podFromTemplate(template, 'w'.repeat(252), owner).metadata?.generateName).toBe(`${'w'.repeat(252)}-`)
  })
})
