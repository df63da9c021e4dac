import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json-object.ts'
import { applyStrategicMergePatch } from './strategic-merge.ts'

type Row = [name: string, original: JsonObject, patch: unknown, expected: JsonObject]

const spec = (more: JsonObject) => ({ spec: more })
const named = (...names: string[]) => names.map((name) => ({ name }))
const withContainers = (...names: string[]) => spec({ containers: named(...names) })

function check(typeName: string, rows: readonly Row[]): void {
  it.each(rows as Row[])('%s', (_, original, patch, expected) => {
    const before = JSON.stringify([original, patch])
    expect(applyStrategicMergePatch(typeName, original, patch)).toEqual(expected)
    expect(JSON.stringify([original, patch])).toBe(before)
  })
}

describe('applyStrategicMergePatch()', () => {
  describe('objects', () => {
    check('core.Pod', [
      [
        'sets and deletes members',
        spec({ nodeName: 'a', hostname: 'h' }),
        spec({ nodeName: null, subdomain: 's' }),
        spec({ hostname: 'h', subdomain: 's' }),
      ],
      ['ignores null for a missing member', spec({}), spec({ nodeName: null }), spec({})],
      [
        'drops nulls from what is new',
        {},
        spec({ securityContext: { runAsUser: null, fsGroup: 1 } }),
        spec({ securityContext: { fsGroup: 1 } }),
      ],
      [
        'merges maps',
        { metadata: { labels: { a: '1', b: '2' } } },
        { metadata: { labels: { b: null, c: '3' } } },
        { metadata: { labels: { a: '1', c: '3' } } },
      ],
      [
        'replaces by directive',
        spec({ securityContext: { runAsUser: 1 } }),
        spec({ securityContext: { $patch: 'replace', fsGroup: 1 } }),
        spec({ securityContext: { fsGroup: 1 } }),
      ],
      [
        'deletes by directive',
        spec({ securityContext: { runAsUser: 1 } }),
        spec({ securityContext: { $patch: 'delete' } }),
        spec({ securityContext: {} }),
      ],
      ['keeps no directive in what is new', spec({}), spec({ securityContext: { $patch: 'delete' } }), spec({})],
      ['takes another type as it is', spec({ nodeName: 'a' }), spec({ nodeName: { b: null } }), spec({ nodeName: {} })],
      ['does nothing for null', spec({ nodeName: 'a' }), null, spec({ nodeName: 'a' })],
    ])
    check('policy.PodDisruptionBudget', [
      [
        'replaces where the type says so',
        spec({ selector: { matchLabels: { a: '1' } } }),
        spec({ selector: { matchLabels: { b: '2' } } }),
        spec({ selector: { matchLabels: { b: '2' } } }),
      ],
    ])
  })

  describe('lists with a merge key', () => {
    check('core.Pod', [
      [
        'merge by key, the patch first and the rest after',
        spec({
          containers: [
            { name: 'one', image: 'a:1', env: [{ name: 'A', value: '1' }] },
            { name: 'two', image: 'b:1' },
          ],
        }),
        spec({
          containers: [
            { name: 'one', image: 'a:2', env: [{ name: 'B', value: '2' }] },
            { name: 'three', image: 'c:1' },
          ],
        }),
        spec({
          containers: [
            {
              name: 'one',
              image: 'a:2',
              env: [
                { name: 'B', value: '2' },
                { name: 'A', value: '1' },
              ],
            },
            { name: 'three', image: 'c:1' },
            { name: 'two', image: 'b:1' },
          ],
        }),
      ],
      [
        'keep the rest before what followed it',
        withContainers('a', 'b', 'c', 'd'),
        withContainers('d', 'b'),
        withContainers('a', 'c', 'd', 'b'),
      ],
      ['put new elements first', withContainers('a', 'b'), withContainers('z'), withContainers('z', 'a', 'b')],
      ['delete by directive', withContainers('a', 'b'), spec({ containers: [{ $patch: 'delete', name: 'a' }] }), withContainers('b')],
      [
        'delete nothing that is not there',
        withContainers('a'),
        spec({ containers: [{ $patch: 'delete', name: 'b' }] }),
        withContainers('a'),
      ],
      [
        'are replaced by directive',
        withContainers('a', 'b'),
        spec({ containers: [{ $patch: 'replace' }, { name: 'c' }] }),
        withContainers('c'),
      ],
      ['may be emptied', withContainers('a'), spec({ containers: [{ $patch: 'replace' }] }), spec({ containers: [] })],
      [
        'are taken without directives when new',
        spec({}),
        spec({ containers: [{ $patch: 'delete', name: 'a' }, { name: 'b' }] }),
        withContainers('b'),
      ],
      ['are deleted by null', withContainers('a'), spec({ containers: null }), spec({})],
      ['stay for an empty patch', withContainers('a'), spec({ containers: [] }), withContainers('a')],
      [
        'merge the first of two elements with one key',
        spec({
          containers: [
            {
              name: 'a',
              ports: [
                { containerPort: 53, protocol: 'TCP' },
                { containerPort: 53, protocol: 'UDP' },
              ],
            },
          ],
        }),
        spec({ containers: [{ name: 'a', ports: [{ containerPort: 53, name: 'dns' }] }] }),
        spec({
          containers: [
            {
              name: 'a',
              ports: [
                { containerPort: 53, protocol: 'TCP', name: 'dns' },
                { containerPort: 53, protocol: 'UDP' },
              ],
            },
          ],
        }),
      ],
      [
        'replace lists that have no key',
        spec({ tolerations: [{ key: 'a' }] }),
        spec({ tolerations: [{ key: 'b' }] }),
        spec({ tolerations: [{ key: 'b' }] }),
      ],
    ])
  })

  describe('sets of scalars', () => {
    const finalizers = (...names: string[]) => ({ metadata: { finalizers: names } })
    check('core.Pod', [
      ['merge, the patch first', finalizers('a', 'b'), finalizers('c', 'b'), finalizers('c', 'a', 'b')],
      ['hold each scalar once', finalizers('a'), finalizers('a', 'a'), finalizers('a')],
      [
        'lose scalars by directive',
        finalizers('a', 'b', 'c'),
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'c'] } },
        finalizers('b'),
      ],
      [
        'lose nothing that is not there',
        { metadata: {} },
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
        { metadata: {} },
      ],
      [
        'lose and gain at once',
        finalizers('a', 'b'),
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] } },
        finalizers('c', 'b'),
      ],
      [
        'replace where there is no strategy',
        spec({ containers: [{ name: 'a', args: ['x'] }] }),
        spec({ containers: [{ name: 'a', args: ['y'] }] }),
        spec({ containers: [{ name: 'a', args: ['y'] }] }),
      ],
    ])
  })

  describe('$setElementOrder', () => {
    const order = (...names: string[]) => ({ '$setElementOrder/containers': named(...names) })
    check('core.Pod', [
      ['orders what is there', withContainers('a', 'b', 'c'), spec(order('c', 'b', 'a')), withContainers('c', 'b', 'a')],
      [
        'keeps what it does not name in its place',
        withContainers('a', 'b', 'c', 'd'),
        spec(order('d', 'b')),
        withContainers('a', 'c', 'd', 'b'),
      ],
      [
        'orders after merging',
        withContainers('a', 'b'),
        spec({ ...order('n', 'b', 'a'), containers: [{ name: 'n' }, { name: 'a', image: 'i' }] }),
        spec({ containers: [{ name: 'n' }, { name: 'b' }, { name: 'a', image: 'i' }] }),
      ],
      [
        'orders after deleting',
        withContainers('a', 'b', 'c'),
        spec({ ...order('c', 'a'), containers: [{ $patch: 'delete', name: 'b' }] }),
        withContainers('c', 'a'),
      ],
      ['orders a list that is new', spec({}), spec({ ...order('b', 'a'), containers: named('b', 'a') }), withContainers('b', 'a')],
      ['does nothing without a list', spec({}), spec(order('a')), spec({})],
      [
        'orders scalars',
        { metadata: { finalizers: ['a', 'b'] } },
        { metadata: { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] } },
        { metadata: { finalizers: ['c', 'b', 'a'] } },
      ],
    ])
  })

  describe('$retainKeys', () => {
    check('apps.Deployment', [
      [
        'drops what it does not name',
        spec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }),
        spec({ strategy: { $retainKeys: ['type'], type: 'Recreate' } }),
        spec({ strategy: { type: 'Recreate' } }),
      ],
      [
        'lets null pass that it does not name',
        spec({ strategy: { type: 'RollingUpdate', rollingUpdate: {} } }),
        spec({ strategy: { $retainKeys: ['type'], rollingUpdate: null } }),
        spec({ strategy: { type: 'RollingUpdate' } }),
      ],
    ])
    check('core.Pod', [
      [
        'works on the elements of a list',
        spec({ volumes: [{ name: 'v', emptyDir: {} }] }),
        spec({ volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] }),
        spec({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
      ],
    ])
  })

  const refused: [name: string, original: JsonObject, patch: unknown, code: number, message: string][] = [
    ['a patch that is a list', {}, [], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [
      'an unknown directive',
      withContainers('a'),
      spec({ $patch: 'merge', b: [1, null] }),
      500,
      'unknown patch type: merge in map: map[$patch:merge b:[1 <nil>]]',
    ],
    [
      'merge as a directive of a list',
      withContainers('a'),
      spec({ containers: [{ $patch: 'merge', name: 'a' }] }),
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [
      'an unknown directive in a list',
      withContainers('a'),
      spec({ containers: [{ $patch: 'x', name: 'a' }] }),
      500,
      'unknown patch type: x in map: map[$patch:x name:a]',
    ],
    [
      'an element without its key',
      withContainers('a'),
      spec({ containers: [{ image: 'x' }] }),
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'a deletion without its key',
      withContainers('a'),
      spec({ containers: [{ $patch: 'delete' }] }),
      500,
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [
      'elements of two types',
      withContainers('a'),
      spec({ containers: ['a'] }),
      500,
      'list element types are not identical: [[map[name:a]] [a]]',
    ],
    [
      'lists in a list',
      spec({ containers: [] }),
      spec({ containers: [[1]] }),
      422,
      'the server rejected our request due to an error in our request',
    ],
    ['a directive without a name', {}, { $deleteFromPrimitiveList: ['a'] }, 400, 'invalid patch format of primitive list'],
    ['an order without a name', {}, { $setElementOrder: ['a'] }, 400, 'invalid patch format of setElementOrder list'],
    ['an order that is no list', {}, { '$setElementOrder/x': 'a' }, 500, 'expected a []interface {}, but received a string'],
    [
      'an order of an unknown field',
      {},
      { '$setElementOrder/x': ['a'] },
      500,
      'unable to find api field in struct Pod for the json field "x"',
    ],
    ['an order of something else', {}, { '$setElementOrder/spec': ['a'] }, 500, 'expected slice or array type, but got: struct'],
    [
      'a list that is not in its order',
      withContainers('a'),
      spec({ '$setElementOrder/containers': named('a', 'b'), containers: named('b', 'a') }),
      500,
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    ['$retainKeys that is no list', {}, { $retainKeys: 'x' }, 400, 'invalid patch format of retainKeys'],
    ['$retainKeys that misses a key', {}, { $retainKeys: ['spec'], metadata: {} }, 400, 'invalid patch format of retainKeys'],
  ]
  it.each(refused)('refuses %s', (_, original, patch, code, message) => {
    expect(() => applyStrategicMergePatch('core.Pod', original, patch)).toThrow(expect.objectContaining({ message, code }))
  })

  it('does not merge free-form JSON', () => {
    expect(() => applyStrategicMergePatch('apps.ControllerRevision', { data: { spec: {} } }, { data: { spec: {} } })).toThrow(
      'unable to find api field in struct RawExtension for the json field "spec"',
    )
  })

  it('shares what it leaves alone', () => {
    const original = { metadata: { labels: { a: '1' } }, spec: { containers: named('a', 'b') } }
    const result = applyStrategicMergePatch('core.Pod', original, spec({ containers: [{ name: 'a', image: 'x' }] })) as typeof original
    expect(result.metadata).toBe(original.metadata)
    expect(result.spec.containers[1]).toBe(original.spec.containers[1])
  })

  it('treats __proto__ as a name like any other', () => {
    const patch = JSON.parse('{"metadata": {"labels": {"__proto__": "x"}, "__proto__": {"polluted": true}}}')
    const result = applyStrategicMergePatch('core.Pod', { metadata: { labels: {} } }, patch) as { metadata: { labels: object } }
    expect(Object.keys(result.metadata.labels)).toEqual(['__proto__'])
    expect('polluted' in result.metadata).toBe(false)
  })

  const names = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd'))
  const pod = fc.record({
    metadata: fc.record(
      { finalizers: names, labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')) },
      { requiredKeys: [] },
    ),
    spec: fc.record({
      containers: names.chain((all) =>
        fc.tuple(...all.map((name) => fc.record({ name: fc.constant(name), image: fc.constantFrom('i', 'j') }))),
      ),
    }),
  })

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(pod, pod, (original, patch) => {
        const once = applyStrategicMergePatch('core.Pod', original, patch)
        expect(applyStrategicMergePatch('core.Pod', once, patch)).toEqual(once)
      }),
    )
  })

  it('returns the requested order', () => {
    fc.assert(
      fc.property(names, names, (current, order) => {
        fc.pre(current.length > 0)
        const result = applyStrategicMergePatch(
          'core.Pod',
          withContainers(...current),
          spec({ '$setElementOrder/containers': named(...order) }),
        )
        const got = (result as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name)
        expect(got.filter((name) => order.includes(name))).toEqual(order.filter((name) => current.includes(name)))
        expect(got.filter((name) => !order.includes(name))).toEqual(current.filter((name) => !order.includes(name)))
      }),
    )
  })
})
