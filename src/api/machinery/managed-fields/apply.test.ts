import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStatusError, type StatusError } from '../status-error.ts'
import type { KubernetesObject } from '../types.ts'
import { applyServerSide } from './apply.ts'
import { type FieldSet, isSameSet } from './field-set.ts'
import { fieldSetOf } from './of-object.ts'
import { trackUpdate } from './update.ts'

type Json = Record<string, unknown>
type Live = KubernetesObject | undefined

const now = '2026-01-01T00:00:00Z'
const core = (kind: string) => ({ group: '', version: 'v1', kind })
const configMap = (data?: Json, metadata: Json = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data && { data }),
})
const template = (containers: unknown[], spec: Json = {}) => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'a' },
  template: { spec: { containers, ...spec } },
})

function apply(
  live: Live,
  applied: unknown,
  manager: string,
  more: { force?: boolean; now?: string; subresource?: string } = {},
): KubernetesObject {
  const { kind } = applied as { kind: string }
  return applyServerSide({ typeName: `core.${kind}`, resource: core(kind), live, applied, manager, force: false, now, ...more })
}
function update(live: Live, next: unknown, manager: string, at = now): KubernetesObject {
  const object = next as KubernetesObject
  const managedFields = trackUpdate({ typeName: 'core.ConfigMap', old: live, next: object, manager, apiVersion: 'v1', now: at })
  return { ...object, metadata: { ...object.metadata, managedFields: managedFields! } }
}
const dataOf = (object: KubernetesObject) => (object as { data?: unknown }).data
const owned = (object: KubernetesObject) =>
  Object.fromEntries((object.metadata?.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]))
const containersOf = (object: KubernetesObject) =>
  (object as { template?: { spec?: { containers?: { name: string }[] } } }).template?.spec?.containers

function refusal(run: () => unknown): StatusError {
  try {
    run()
  } catch (error) {
    if (isStatusError(error)) return error
    throw error
  }
  throw new Error('Expected a refusal')
}

describe('applyServerSide()', () => {
  it.each([
    ['a struct that is always there', { resources: null }, { resources: {} }],
    ['a struct that a default adds', { securityContext: null }, { securityContext: {} }],
  ])('takes null for another value than empty: %s', (_, applied, stored) => {
    const [field] = Object.keys(applied) as [string]
    const owns = (object: KubernetesObject, manager: string) => JSON.stringify(owned(object)[manager] ?? '').includes(`"f:${field}"`)
    const live = apply(undefined, template([{ name: 'c', image: 'i', ...stored }]), 'one')
    expect(owns(live, 'one')).toBe(true)
    const forced = apply(live, template([{ name: 'c', image: 'i', ...applied }]), 'two', { force: true })
    expect([owns(forced, 'one'), owns(forced, 'two')]).toEqual([false, true])
    // The server stores the empty value again.
    const [container] = containersOf(forced) ?? []
    const next = { ...forced, template: { spec: { containers: [{ ...container, ...stored }] } } } as KubernetesObject
    const conflict = refusal(() => apply(next, template([{ name: 'c', image: 'i', ...applied }]), 'three'))
    expect(conflict.status.details?.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "two"', field: `.template.spec.containers[name="c"].${field}` },
    ])
  })

  it('creates', () => {
    expect(apply(undefined, configMap({ a: '1' }), 'one')).toEqual({
      ...configMap({ a: '1' }),
      metadata: {
        name: 'a',
        managedFields: [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'v1',
            time: now,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:a': {} } },
          },
        ],
      },
    })
  })

  it('is the live object itself when nothing changes', () => {
    const live = apply(undefined, configMap({ a: '1' }), 'one')
    expect(apply(live, configMap({ a: '1' }), 'one', { now: '2026-01-01T00:00:09Z' })).toBe(live)
  })

  it('removes what it owned and left out', () => {
    const after = apply(apply(undefined, configMap({ a: '1', b: '2' }), 'one'), configMap({ a: '1' }), 'one')
    expect(dataOf(after)).toEqual({ a: '1' })
    expect(owned(after)).toEqual({ one: { 'f:data': { 'f:a': {} } } })
  })

  it('leaves what others own, and an empty object that it names itself', () => {
    const shared = apply(apply(undefined, configMap({ a: '1' }), 'one'), configMap({ b: '2' }), 'two')
    const after = apply(shared, configMap({}), 'one')
    expect(dataOf(after)).toEqual({ b: '2' })
    expect(owned(after)).toEqual({ one: { 'f:data': {} }, two: { 'f:data': { 'f:b': {} } } })
  })

  it('forgets an applier that names nothing', () => {
    const after = apply(apply(undefined, configMap({ a: '1' }), 'one'), configMap(), 'one')
    expect(dataOf(after)).toBeUndefined()
    expect(after.metadata?.managedFields).toBeUndefined()
  })

  it('keeps a field that two appliers own until both leave it out', () => {
    let live = apply(apply(undefined, configMap({ a: '1' }), 'one'), configMap({ a: '1' }), 'two')
    live = apply(live, configMap(), 'one')
    expect(dataOf(live)).toEqual({ a: '1' })
    expect(dataOf(apply(live, configMap(), 'two'))).toBeUndefined()
  })

  it('leaves a map to its owner when the last member is removed', () => {
    const written = update(undefined, configMap({ a: '1' }, { finalizers: ['x/f'] }), 'hand')
    const forced = apply(written, configMap({ a: '2' }, { finalizers: ['x/f', 'x/g'] }), 'one', { force: true })
    const disowned = update(forced, { ...forced, metadata: { ...forced.metadata, finalizers: ['x/g'] } }, 'hand')
    const after = apply(disowned, configMap(), 'one')
    expect(dataOf(after)).toBeUndefined()
    expect(after.metadata).not.toHaveProperty('finalizers')
    expect(owned(after)).toEqual({ hand: { 'f:data': {}, 'f:metadata': { 'f:finalizers': {} } } })
  })

  it('keeps what a writer put into a map that the applier leaves out', () => {
    const live = apply(undefined, configMap({ a: '1' }), 'one')
    const written = update(live, { ...live, data: { a: '1', b: '2' } }, 'hand')
    expect(dataOf(apply(written, configMap(), 'one'))).toEqual({ b: '2' })
  })

  it('refuses to change what another owns', () => {
    const live = apply(undefined, configMap({ a: '1' }), 'one')
    expect(refusal(() => apply(live, configMap({ a: '2' }), 'two')).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
      code: 409,
    })
  })

  it('takes it by force', () => {
    const after = apply(apply(undefined, configMap({ a: '1' }), 'one'), configMap({ a: '2' }), 'two', { force: true })
    expect(dataOf(after)).toEqual({ a: '2' })
    expect(owned(after)).toEqual({ two: { 'f:data': { 'f:a': {} } } })
  })

  it('says which version a writer used', () => {
    const live = apply(undefined, configMap({ a: '1' }), 'one')
    const written = update(live, { ...live, data: { a: '5' } }, 'hand')
    expect(refusal(() => apply(written, configMap({ a: '1' }), 'one')).message).toBe(
      'Apply failed with 1 conflict: conflict with "hand" using v1: .data.a',
    )
  })

  it('lists several conflicts by owner', () => {
    const live = apply(
      apply(undefined, template([{ name: 'x', image: 'a', ports: [{ containerPort: 80, hostPort: 1 }] }]), 'one'),
      template([{ name: 'y', image: 'a' }]),
      'two',
    )
    const wanted = template([
      { name: 'x', image: 'b', ports: [{ containerPort: 80, hostPort: 2 }] },
      { name: 'y', image: 'b' },
    ])
    expect(refusal(() => apply(live, wanted, 'three')).message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "one":',
        '- .template.spec.containers[name="x"].image',
        '- .template.spec.containers[name="x"].ports[containerPort=80,protocol="TCP"].hostPort',
        'conflicts with "two":',
        '- .template.spec.containers[name="y"].image',
      ].join('\n'),
    )
  })

  it('names the subresource of an owner', () => {
    const node = (phase: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, status: { phase } })
    const live = apply(undefined, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels: { a: '' } } }, 'one')
    const applied = apply(live, node('Pending'), 'two', { subresource: 'status' })
    expect(refusal(() => apply(applied, node('Running'), 'one', { subresource: 'status' })).message).toBe(
      'Apply failed with 1 conflict: conflict with "two" with subresource "status": .status.phase',
    )
  })

  it('owns what an untracked object had before its first apply as a writer of that name', () => {
    const after = apply(configMap({ a: '1', b: '2' }) as KubernetesObject, configMap({ a: '1' }), 'one')
    expect(owned(after)).toEqual({
      one: { 'f:data': { 'f:a': {} } },
      'before-first-apply': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
    })
  })

  it('gives no time to an applier that changed nothing', () => {
    const after = apply(apply(undefined, configMap({ a: '1' }), 'one'), configMap({ a: '1' }), 'two', { now: '2026-01-01T00:00:09Z' })
    expect(after.metadata?.managedFields?.map(({ manager, time }) => [manager, time])).toEqual([
      ['two', undefined],
      ['one', now],
    ])
  })

  describe('lists with keys', () => {
    const named = (...names: string[]) => names.map((name) => ({ name }))
    const orders: [name: string, live: string[], applied: string[], expected: string[]][] = [
      ['are joined', ['one'], ['two'], ['one', 'two']],
      ['keep the live order where the configuration agrees', ['a', 'b', 'c'], ['a', 'c'], ['a', 'b', 'c']],
      ['take the order of the configuration where it does not', ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
      ['put a new element where the configuration has it', ['a', 'b'], ['a', 'n', 'b'], ['a', 'n', 'b']],
    ]
    it.each(orders)('%s', (_, live, applied, expected) => {
      const stored = apply(undefined, template(named(...live)), 'one')
      expect(containersOf(apply(stored, template(named(...applied)), 'two'))?.map(({ name }) => name)).toEqual(expected)
    })

    it('lose the elements that their applier leaves out', () => {
      const stored = apply(undefined, template(named('a', 'b')), 'one')
      expect(containersOf(apply(stored, template(named('b')), 'one'))).toEqual(named('b'))
    })

    it('replace elements that the live list has twice, and leave those that are not applied', () => {
      const live = template([
        { name: 'a', image: '1', tty: true },
        { name: 'b' },
        { name: 'a', image: '2', tty: true },
        { name: 'b', tty: true },
      ]) as KubernetesObject
      const after = apply(live, template([{ name: 'a', image: '3' }]), 'one', { force: true })
      expect(containersOf(after)).toEqual([{ name: 'a', image: '3' }, { name: 'b' }, { name: 'b', tty: true }])
    })

    it('merge elements by key', () => {
      let live = apply(undefined, template([{ name: 'one', image: 'a:1' }]), 'one')
      live = apply(live, template([{ name: 'two', image: 'b:1' }]), 'two')
      live = apply(live, template([{ name: 'one', image: 'a:2', ports: [{ containerPort: 80 }] }]), 'one')
      expect(containersOf(live)).toEqual([
        { name: 'one', image: 'a:2', ports: [{ containerPort: 80 }] },
        { name: 'two', image: 'b:1' },
      ])
      expect(owned(live)['one']).toEqual({
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"one"}': {
                '.': {},
                'f:image': {},
                'f:name': {},
                'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
              },
            },
          },
        },
      })
    })

    it('merge an element that leaves out a key with the one that has its default', () => {
      const live = apply(undefined, template([{ name: 'one', ports: [{ containerPort: 80, protocol: 'TCP' }] }]), 'one')
      const after = apply(live, template([{ name: 'one', ports: [{ containerPort: 80, hostPort: 8 }] }]), 'two')
      expect(containersOf(after)).toEqual([{ name: 'one', ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 8 }] }])
    })
  })

  it('replaces atomic lists whole, and they conflict whole', () => {
    const live = apply(undefined, template([{ name: 'a', args: ['x'] }]), 'one')
    expect(containersOf(apply(live, template([{ name: 'a', args: ['y'] }]), 'one'))).toEqual([{ name: 'a', args: ['y'] }])
    expect(refusal(() => apply(live, template([{ name: 'a', args: ['y'] }]), 'two')).message).toContain('[name="a"].args')
  })

  const wrong: [name: string, applied: unknown, code: number, message: string][] = [
    ['another kind', { ...configMap({}), kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    ['another version', { ...configMap({}), apiVersion: 'apps/v1' }, 400, 'invalid object type: apps/v1, Kind=ConfigMap'],
    ['no version', { ...configMap({}), apiVersion: 'a/b/c' }, 400, 'invalid object type: /, Kind='],
    ['no kind', {}, 400, 'invalid object type: /, Kind='],
    ['managedFields', configMap({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [
      'an unknown field',
      { ...configMap({}), spce: 1 },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .spce: field not declared in schema',
    ],
    [
      'an unknown field deep down',
      configMap({}, { namespace: 'n', ownerReferences: [{ uid: 'u', x: 1 }] }),
      500,
      'failed to create typed patch object (n/a; /v1, Kind=ConfigMap): .metadata.ownerReferences[uid="u"].x: field not declared in schema',
    ],
    [
      'a number for a string',
      configMap({ a: 1 }),
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'a list for a map',
      { ...configMap(), data: ['x'] },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data: expected map, got &{[x]}',
    ],
    [
      'a string for a boolean',
      { ...configMap(), immutable: 'yes' },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .immutable: expected boolean, got &{yes}',
    ],
    [
      'an element twice',
      configMap({}, { finalizers: ['a', 'a'] }),
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="a"]',
    ],
    [
      'a null in a set',
      configMap({}, { finalizers: [null] }),
      500,
      "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'two mistakes',
      configMap({ a: 1 }, { generation: 'x' }),
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:\n  .metadata.generation: expected numeric (int or float), got string\n  .data.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ]
  it.each(wrong)('refuses %s', (_, applied, code, message) => {
    const run = () =>
      applyServerSide({
        typeName: 'core.ConfigMap',
        resource: core('ConfigMap'),
        live: undefined,
        applied,
        manager: 'one',
        force: false,
        now,
      })
    expect(refusal(run)).toMatchObject({ code, message })
  })

  it('refuses a live object whose owners cannot be read', () => {
    const live = configMap({}, { managedFields: [{ manager: 'x', operation: 'Update' }] }) as KubernetesObject
    expect(refusal(() => apply(live, configMap({ a: '1' }), 'one'))).toMatchObject({
      code: 500,
      message: 'failed to decode managed fields: apiVersion must not be empty',
    })
  })

  it('treats __proto__ as a name like any other', () => {
    const after = apply(undefined, configMap(JSON.parse('{"__proto__": "x"}')), 'one')
    expect(Object.keys(dataOf(after) as object)).toEqual(['__proto__'])
    expect(Object.keys(dataOf(apply(after, configMap({ a: '1' }), 'two')) as object)).toEqual(['__proto__', 'a'])
    expect(dataOf(apply(after, configMap(), 'one'))).toBeUndefined()
  })

  describe('after applying on the client', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
    const client = (data: Json) => {
      const text = JSON.stringify(configMap(data, { annotations: {} }))
      return update(undefined, configMap(data, { annotations: { [annotation]: text } }), 'kubectl-client-side-apply')
    }

    it('takes over what kubectl owned there', () => {
      const after = apply(client({ a: '1' }), configMap({ a: '2' }), 'kubectl')
      expect(dataOf(after)).toEqual({ a: '2' })
      expect(after.metadata?.annotations?.[annotation]).toBe(
        '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
      )
    })

    it('keeps an annotation that is null as an empty one', () => {
      const after = apply(client({ a: '1' }), configMap({ a: '2' }, { annotations: { b: null } }), 'kubectl')
      expect(after.metadata?.annotations).toEqual({
        b: '',
        [annotation]: '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"annotations":{"b":""},"name":"a"}}\n',
      })
    })

    it('does not take over fields that another manager changed since', () => {
      const live = client({ a: '1' })
      const written = update(live, { ...live, data: { a: '5' } }, 'hand')
      expect(refusal(() => apply(written, configMap({ a: '2' }), 'kubectl')).message).toContain('"hand"')
    })

    it('takes nothing over for another applier', () => {
      expect(refusal(() => apply(client({ a: '1' }), configMap({ a: '2' }), 'one')).code).toBe(409)
    })
  })

  // Never none: an empty list has nothing to own, and whether it stays depends on who owned what it had.
  const container = fc.record(
    { name: fc.constantFrom('a', 'b', 'c'), image: fc.constantFrom('i', 'j'), tty: fc.boolean() },
    { requiredKeys: ['name'] },
  )
  const containers = fc.uniqueArray(container, { minLength: 1, selector: ({ name }) => name }).map((all) => template(all))
  const steps = fc.array(fc.tuple(containers, fc.constantFrom('one', 'two', 'three')), { minLength: 1, maxLength: 5 })
  const applyAll = (all: readonly (readonly [unknown, string])[]) =>
    all.reduce<Live>((live, [applied, manager]) => apply(live, applied, manager, { force: true }), undefined)

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(steps, containers, (before, applied) => {
        const once = apply(applyAll(before), applied, 'one', { force: true })
        expect(apply(once, applied, 'one')).toEqual(once)
      }),
    )
  })

  it('leaves the object with what was applied last, and its applier with exactly that', () => {
    fc.assert(
      fc.property(steps, containers, (before, applied) => {
        const after = apply(applyAll(before), applied, 'one', { force: true })
        const wanted = (applied.template.spec.containers as { name: string }[]) ?? []
        for (const container of wanted) expect(containersOf(after)).toContainEqual(expect.objectContaining(container))
        const set = after.metadata?.managedFields?.find(({ manager }) => manager === 'one')?.fieldsV1 as FieldSet | undefined
        expect(isSameSet(set ?? {}, fieldSetOf('core.PodTemplate', applied))).toBe(true)
      }),
    )
  })
})
