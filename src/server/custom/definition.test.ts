import { beforeEach, describe, expect, test } from 'vitest'
import { kinds as builtIn } from '../../api/kinds.ts'
import { KindSet } from '../../api/machinery/kind-set.ts'
import type { CustomResourceDefinition } from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { WatchEvent } from '../rest/rest.ts'
import { input, options, refusal, shown } from '../rest/testing/rest-bench.ts'
import { type CustomBench, crds, crontab, openCustomBench, spec } from './testing/custom-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))
let bench: CustomBench

beforeEach(async () => {
  bench = await openCustomBench()
})

describe('a definition', () => {
  test('is served when its creation is answered, and established right after', async () => {
    await bench.define(spec)
    const created = await bench.create(bench.kindOf(), crontab({ replicas: 1 }))
    expect(created).toMatchObject({ kind: 'CronTab', apiVersion: 'example.com/v1', spec: { replicas: 1, image: 'busybox' } })
    await settle()
    const { status } = bench.readDefinition()
    expect(status?.acceptedNames).toEqual({
      plural: 'crontabs',
      singular: 'crontab',
      shortNames: ['ct'],
      kind: 'CronTab',
      listKind: 'CronTabList',
    })
    expect(status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ])
    expect(status?.storedVersions).toEqual(['v1'])
  })

  test('drops nulls that its schema does not allow, fills in their defaults, and keeps those that it allows', async () => {
    await bench.define({
      type: 'object',
      properties: {
        plain: { type: 'string' },
        image: { type: 'string', default: 'busybox' },
        free: { type: 'string', nullable: true },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
      },
    })
    const made = await bench.create(bench.kindOf(), crontab({ plain: null, image: null, free: null, list: [{ a: null }] }))
    expect((made as KubernetesObject & { spec: object }).spec).toEqual({ image: 'busybox', free: null, list: [{}] })
  })

  test('ends the watches of its custom resources when it changes or is deleted, after their last events', async () => {
    await bench.define(spec)
    const ends: string[] = []
    const watch = (label: string) => {
      const events: WatchEvent[] = []
      bench.rest.watch(
        bench.kindOf(),
        '',
        {},
        { onEvents: (more) => events.push(...more), onEnd: () => ends.push(`${label} ${shown(events)}`) },
      )
    }
    watch('first')
    const { metadata } = bench.readDefinition()
    const next = definition([version(schema({ type: 'object' }))]) as KubernetesObject
    await bench.rest.update(crds, '', 'crontabs.example.com', undefined, input({ ...next, metadata }), options)
    expect(ends).toEqual(['first '])
    await bench.create(bench.kindOf(), crontab({}))
    watch('second')
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await expect.poll(() => ends).toEqual(['first ', 'second ADDED a,DELETED a'])
  })

  test('cannot be changed to preserve unknown fields', async () => {
    await bench.define(spec)
    const { metadata } = bench.readDefinition()
    const changed = { ...definition([version(schema(spec))], { preserveUnknownFields: true }), metadata }
    const update = () => bench.rest.update(crds, '', 'crontabs.example.com', undefined, input(changed), options)
    expect((await refusal(update)).message).toContain(
      '[spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema, spec.preserveUnknownFields: Invalid value: true: cannot set to true, ',
    )
  })

  test('whose names another one has waits until they are free', async () => {
    await bench.define(spec)
    const names = { plural: 'others', singular: 'other', kind: 'CronTab' }
    await bench.create(crds, definition([version(schema(spec))], { names }))
    await settle()
    const other = () => bench.rest.get(crds, '', 'others.example.com').object as CustomResourceDefinition
    expect(other().status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ['NamesAccepted', 'False', 'ListKindConflict', '"CronTabList" is already in use'],
      ['Established', 'False', 'NotAccepted', 'not all names are accepted'],
    ])
    expect(bench.kindOf('others')).toBeUndefined()
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await settle()
    await settle()
    expect(other().status?.conditions?.map(({ status }) => status)).toEqual(['True', 'True'])
    expect(bench.kindOf('others')).toBeDefined()
  })

  test('deletes its objects when it is deleted, and waits for their finalizers', async () => {
    await bench.define(spec)
    const kind = bench.kindOf()
    await bench.create(kind, crontab({}))
    await bench.create(kind, { metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: {} })
    const watch = bench.watch(kind, '')
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await settle()
    expect(bench.readDefinition().metadata?.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    expect(bench.rest.list(kind, '', {}).items.map(({ object }) => object.metadata?.name)).toEqual(['held'])
    const held = bench.rest.get(kind, 'default', 'held').object
    await bench.rest.update(kind, 'default', 'held', undefined, input({ ...held, metadata: { ...held.metadata, finalizers: [] } }), options)
    for (let turns = 0; turns < 5; turns++) await settle()
    expect((await refusal(() => bench.readDefinition())).message).toBe(
      'customresourcedefinitions.apiextensions.k8s.io "crontabs.example.com" not found',
    )
    expect(bench.kindOf()).toBeUndefined()
    expect(shown(watch.events)).toEqual(['ADDED a', 'ADDED held', 'DELETED a', 'MODIFIED held', 'DELETED held'])
  })

  test('that changes is followed at once, also for stored objects', async () => {
    await bench.define(spec)
    await bench.create(bench.kindOf(), crontab({ replicas: 1 }))
    const current = bench.readDefinition()
    const columns = [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }]
    const versions = [{ ...current.spec.versions[0]!, additionalPrinterColumns: columns }]
    await bench.redefine(versions)
    const { kind, object } = bench.rest.get(bench.kindOf(), 'default', 'a')
    expect(kind.columns?.cells(object as never, 0)).toEqual(['a', 1])
  })

  test('that gets a default shows it in objects that were stored before', async () => {
    await bench.define({ type: 'object', properties: { a: { type: 'string' } } })
    await bench.create(bench.kindOf(), crontab({}))
    const versions = [version(schema({ type: 'object', properties: { a: { type: 'string', default: 'x' } } }))]
    await bench.redefine(versions)
    expect(bench.rest.get(bench.kindOf(), 'default', 'a').object).toMatchObject({ spec: { a: 'x' } })
    expect(bench.rest.list(bench.kindOf(), '', {}).items[0]!.json).toContain('"spec":{"a":"x"}')
  })

  test('is served again after a restart', async () => {
    await bench.define(spec)
    await bench.create(bench.kindOf(), crontab({ replicas: 3 }))
    const again = new KindSet(builtIn)
    const { createRest } = await import('../rest/create-rest.ts')
    const rest = createRest({ store: bench.store, kinds: again, clock: bench.clock })
    const kind = again.all.find(({ plural }) => plural === 'crontabs')!
    expect(rest.get(kind, 'default', 'a').object).toMatchObject({ spec: { replicas: 3 } })
  })
})
