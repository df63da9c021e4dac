import { describe, expect, it } from 'vitest'
import { compareObjects } from './compare.ts'
import { fieldSetOf } from './of-object.ts'

type Json = Record<string, unknown>

const pod = (spec: Json, metadata: Json = {}) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, spec })
const one = (container: Json) => pod({ containers: [{ name: 'one', ...container }] })
const inOne = (node: Json) => ({ 'f:spec': { 'f:containers': { 'k:{"name":"one"}': node } } })

describe('fieldSetOf()', () => {
  const rows: [name: string, typeName: string, object: unknown, expected: Json][] = [
    [
      'names values, and neither who the object is nor what is around values',
      'core.ConfigMap',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { b: '', a: '' } }, data: { x: '1' } },
      { 'f:data': { 'f:x': {} }, 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } },
    ],
    ['names an empty object', 'core.ConfigMap', { data: {} }, { 'f:data': {} }],
    ['names null', 'core.ConfigMap', { data: null }, { 'f:data': {} }],
    ['does not name an empty list with keys', 'core.Pod', pod({ containers: [] }), {}],
    [
      'names elements by key, with the default of a key',
      'core.Pod',
      one({ ports: [{ containerPort: 80 }] }),
      inOne({ '.': {}, 'f:name': {}, 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } } }),
    ],
    [
      'names elements of a set',
      'core.Pod',
      pod({}, { finalizers: ['b', 'a'] }),
      { 'f:metadata': { 'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} } }, 'f:spec': {} },
    ],
    ['names an atomic list whole', 'core.Pod', one({ args: ['a'] }), inOne({ '.': {}, 'f:args': {}, 'f:name': {} })],
    ['names an atomic map whole', 'core.Pod', pod({ nodeSelector: { a: 'b' } }), { 'f:spec': { 'f:nodeSelector': {} } }],
    [
      'names an atomic struct whole',
      'apps.Deployment',
      { spec: { selector: { matchLabels: { a: 'b' } } } },
      { 'f:spec': { 'f:selector': {} } },
    ],
    [
      'names free-form JSON whole',
      'apps.ControllerRevision',
      { data: { spec: { a: 1 } }, revision: 1 },
      { 'f:data': {}, 'f:revision': {} },
    ],
    [
      'names elements that are there twice once, and whole',
      'core.Pod',
      pod({
        containers: [
          { name: 'one', image: 'a' },
          { name: 'one', image: 'b' },
        ],
      }),
      { 'f:spec': { 'f:containers': { 'k:{"name":"one"}': {} } } },
    ],
    ['names a zero', 'apps.Deployment', { spec: { replicas: 0, paused: false } }, { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }],
    ['takes __proto__ for a name', 'core.ConfigMap', { data: JSON.parse('{"__proto__": "x"}') }, { 'f:data': { 'f:__proto__': {} } }],
  ]
  it.each(rows)('%s', (_, typeName, object, expected) => {
    expect(JSON.stringify(fieldSetOf(typeName, object))).toBe(JSON.stringify(expected))
  })
})

describe('compareObjects()', () => {
  type Row = [name: string, old: unknown, next: unknown, expected: { added?: Json; modified?: Json; removed?: Json }]
  const rows: Row[] = [
    ['finds nothing in equal objects', one({ image: 'a' }), one({ image: 'a' }), {}],
    ['finds a changed value', one({ image: 'a' }), one({ image: 'b' }), { modified: inOne({ 'f:image': {} }) }],
    [
      'finds an added pointer with all around its values',
      one({}),
      one({ readinessProbe: { httpGet: { port: 80 } } }),
      { added: inOne({ 'f:readinessProbe': { '.': {}, 'f:httpGet': { '.': {}, 'f:port': {} } } }) },
    ],
    [
      'takes a struct that is no pointer as always there',
      {},
      pod({ hostname: 'h' }),
      { added: { 'f:metadata': { 'f:name': {} }, 'f:spec': { 'f:hostname': {} }, 'f:apiVersion': {}, 'f:kind': {} } },
    ],
    [
      'finds a removed element with all that was in it',
      one({ image: 'a' }),
      pod({ containers: [] }),
      { removed: inOne({ '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} }) },
    ],
    [
      'finds an added element, and what Go writes for it',
      pod({ containers: [] }),
      one({}),
      { added: inOne({ '.': {}, 'f:name': {}, 'f:resources': {} }) },
    ],
    [
      'does not mind the order of elements',
      pod({ containers: [{ name: 'a' }, { name: 'b' }] }),
      pod({ containers: [{ name: 'b' }, { name: 'a' }] }),
      {},
    ],
    ['minds the order of an atomic list', one({ args: ['a', 'b'] }), one({ args: ['b', 'a'] }), { modified: inOne({ 'f:args': {} }) }],
    [
      'finds a new map with itself',
      pod({}),
      pod({}, { labels: { a: '1' } }),
      { added: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } } },
    ],
    [
      'finds a new member without its map',
      pod({}, { labels: { a: '1' } }),
      pod({}, { labels: { a: '1', b: '2' } }),
      { added: { 'f:metadata': { 'f:labels': { 'f:b': {} } } } },
    ],
    [
      'takes an empty value that Go leaves out for none',
      pod({}),
      pod({ hostname: '', hostNetwork: false, tolerations: [], nodeSelector: {} }),
      {},
    ],
    ['finds an empty pointer', pod({}), pod({ securityContext: {} }), { added: { 'f:spec': { 'f:securityContext': {} } } }],
    ['finds a pointer to zero', pod({}), pod({ priority: 0 }), { added: { 'f:spec': { 'f:priority': {} } } }],
    [
      'distinguishes null from empty where Go writes both',
      pod({ containers: null }),
      pod({ containers: [] }),
      { modified: { 'f:spec': { 'f:containers': {} } } },
    ],
    [
      'finds a set that grew',
      pod({}, { finalizers: ['a'] }),
      pod({}, { finalizers: ['a', 'b'] }),
      { added: { 'f:metadata': { 'f:finalizers': { 'v:"b"': {} } } } },
    ],
    [
      'owns elements that are there twice together',
      pod({ containers: [{ name: 'one' }] }),
      pod({ containers: [{ name: 'one' }, { name: 'one' }] }),
      { added: inOne({}), removed: inOne({ '.': {}, 'f:name': {}, 'f:resources': {} }) },
    ],
    [
      'parts them again',
      pod({ containers: [{ name: 'one' }, { name: 'one' }] }),
      pod({ containers: [{ name: 'one' }] }),
      { added: inOne({ '.': {}, 'f:name': {}, 'f:resources': {} }), removed: inOne({}) },
    ],
    [
      'finds a change among elements that are there twice',
      pod({ containers: [{ name: 'one' }, { name: 'one' }] }),
      pod({ containers: [{ name: 'one', image: 'a' }, { name: 'one' }] }),
      { modified: inOne({}) },
    ],
  ]
  it.each(rows)('%s', (_, old, next, expected) => {
    expect(compareObjects('core.Pod', old, next)).toEqual({ added: {}, modified: {}, removed: {}, ...expected })
  })

  it('finds a time that is always written, and not when it is zero on both sides', () => {
    const condition = { type: 'Ready', status: 'True' }
    expect(compareObjects('core.Pod', {}, { status: { conditions: [{ ...condition, lastProbeTime: null }] } }).added).toEqual({
      'f:status': {
        'f:conditions': {
          '.': {},
          'k:{"type":"Ready"}': { '.': {}, 'f:lastProbeTime': {}, 'f:lastTransitionTime': {}, 'f:status': {}, 'f:type': {} },
        },
      },
    })
    expect(
      compareObjects(
        'core.Pod',
        { status: { conditions: [condition] } },
        { status: { conditions: [{ ...condition, lastProbeTime: null }] } },
      ),
    ).toEqual({ added: {}, modified: {}, removed: {} })
  })
})
