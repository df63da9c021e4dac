import { describe, expect, it } from 'vitest'
import { configMap, configMapKind, openBench, options, pod, podKind } from './testing.ts'

describe('createRest()', () => {
  it('notes who owns which fields of what it is asked to, and of nothing else', async () => {
    const { rest, create } = await openBench({
      tracksFields: (kind, subresource) => kind.kind === 'ConfigMap' && subresource === undefined,
    })
    const managersOf = (object: { metadata?: { managedFields?: readonly { manager?: string }[] } }) =>
      object.metadata?.managedFields?.map(({ manager }) => manager)
    expect(managersOf(await create(configMapKind, configMap('a')))).toEqual(['test'])
    const given = await create(podKind, pod('p'))
    expect(managersOf(given)).toBeUndefined()
    const { answer } = await rest.update(podKind, 'default', 'p', 'status', { object: { ...given, status: { phase: 'Running' } } }, options)
    expect(managersOf(answer.object)).toBeUndefined()
  })

  it.each([
    { marksBeforeRemoval: true, told: ['MODIFIED', 'MODIFIED', 'DELETED'] },
    { marksBeforeRemoval: false, told: ['MODIFIED', 'DELETED'] },
  ])('tells of the last grace of a pod: $marksBeforeRemoval', async ({ marksBeforeRemoval, told }) => {
    const { rest, create, watch } = await openBench({ marksBeforeRemoval })
    const bound = pod('p') as { spec: object }
    await create(podKind, { ...bound, spec: { ...bound.spec, nodeName: 'node-1' } })
    const { events } = watch(podKind, 'default', { resourceVersion: String((await rest.list(podKind, 'default', {})).resourceVersion) })
    await rest.delete(podKind, 'default', 'p', options)
    await rest.delete(podKind, 'default', 'p', { ...options, gracePeriodSeconds: 0 })
    expect(events.map(({ type }) => type)).toEqual(told)
  })
})
