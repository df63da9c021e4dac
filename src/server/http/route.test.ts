import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../api/kinds.ts'
import { collectionVerb, createRoutes, itemVerb } from './route.ts'

const routes = createRoutes(kinds)

function routeOf(path: string) {
  const route = routes(path)
  if (route.type === 'path' || route.type === 'unknown-resource') return route.type
  const { kind, ...rest } = route
  return { ...rest, kind: kind.kind }
}

describe('createRoutes()', () => {
  it.each([
    ['all pods of a namespace', '/api/v1/namespaces/a/pods', { type: 'collection', kind: 'Pod', namespace: 'a', watch: false }],
    ['all pods', '/api/v1/pods', { type: 'collection', kind: 'Pod', namespace: '', watch: false }],
    ['a slash at the end', '/api/v1/pods/', { type: 'collection', kind: 'Pod', namespace: '', watch: false }],
    ['one pod', '/api/v1/namespaces/a/pods/x', { type: 'item', kind: 'Pod', namespace: 'a', name: 'x', watch: false }],
    [
      'its status',
      '/api/v1/namespaces/a/pods/x/status',
      { type: 'subresource', kind: 'Pod', namespace: 'a', name: 'x', subresource: 'status' },
    ],
    ['its log', '/api/v1/namespaces/a/pods/x/log', { type: 'subresource', kind: 'Pod', namespace: 'a', name: 'x', subresource: 'log' }],
    [
      'a path to proxy',
      '/api/v1/namespaces/a/pods/x/proxy/b/c',
      { type: 'subresource', kind: 'Pod', namespace: 'a', name: 'x', subresource: 'proxy' },
    ],
    ['the namespaces', '/api/v1/namespaces', { type: 'collection', kind: 'Namespace', namespace: '', watch: false }],
    ['a namespace', '/api/v1/namespaces/a', { type: 'item', kind: 'Namespace', namespace: '', name: 'a', watch: false }],
    [
      'a namespace with the name of a resource',
      '/api/v1/namespaces/pods',
      { type: 'item', kind: 'Namespace', namespace: '', name: 'pods', watch: false },
    ],
    [
      'the status of a namespace',
      '/api/v1/namespaces/a/status',
      { type: 'subresource', kind: 'Namespace', namespace: '', name: 'a', subresource: 'status' },
    ],
    ['a group', '/apis/apps/v1/namespaces/a/deployments/x', { type: 'item', kind: 'Deployment', namespace: 'a', name: 'x', watch: false }],
    ['an old watch path', '/api/v1/watch/namespaces/a/pods', { type: 'collection', kind: 'Pod', namespace: 'a', watch: true }],
    [
      'an old watch path of one',
      '/api/v1/watch/namespaces/a/pods/x',
      { type: 'item', kind: 'Pod', namespace: 'a', name: 'x', watch: true },
    ],
    ['a kind without namespaces', '/api/v1/nodes/n', { type: 'item', kind: 'Node', namespace: '', name: 'n', watch: false }],
    ['a kind without namespaces in one', '/api/v1/namespaces/a/nodes/n', 'unknown-resource'],
    ['a pod without a namespace', '/api/v1/pods/x', 'unknown-resource'],
    ['an unknown resource', '/api/v1/namespaces/a/nothings', 'unknown-resource'],
    ['an unknown subresource', '/api/v1/namespaces/a/pods/x/nothing', 'unknown-resource'],
    ['something below a subresource', '/api/v1/namespaces/a/pods/x/status/y', 'unknown-resource'],
    ['an item of a review', '/apis/authentication.k8s.io/v1/tokenreviews/x', 'unknown-resource'],
    ['an empty segment', '/api/v1//pods', 'unknown-resource'],
    ['a name from the prototype', '/api/v1/__proto__', 'unknown-resource'],
    ['an unknown version', '/api/v2/pods', 'unknown-resource'],
    ['an unknown version alone', '/apis/apps/v2', 'unknown-resource'],
    ['what is only made in a namespace', '/api/v1/bindings', 'unknown-resource'],
    ['an unknown group', '/apis/none/v1/things', 'path'],
    ['a group from the prototype', '/apis/constructor/v1/things', 'path'],
    ['a group and version alone', '/apis/apps/v1', 'path'],
    ['two slashes at the start', '//api/v1/pods', 'path'],
    ['something else', '/healthz', 'path'],
  ])('knows %s', (_name, path, expected) => {
    expect(routeOf(path)).toEqual(expected)
  })

  it('has a word for every path', () => {
    const segment = fc.oneof(fc.constantFrom('api', 'apis', 'apps', 'v1', 'namespaces', 'pods', 'watch', 'status', '', '..'), fc.string())
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 9 }), (segments) => {
        expect(routes(`/${segments.join('/')}`).type).toMatch(/^(collection|item|subresource|unknown-resource|path)$/)
      }),
    )
  })
})

describe('collectionVerb() and itemVerb()', () => {
  const kindOf = (plural: string) => kinds.find((kind) => kind.plural === plural)!
  it.each([
    ['reads across namespaces', collectionVerb(kindOf('pods'), '', 'GET'), 'list'],
    ['does not create across namespaces', collectionVerb(kindOf('pods'), '', 'POST'), undefined],
    ['does not delete across namespaces', collectionVerb(kindOf('pods'), '', 'DELETE'), undefined],
    ['creates in a namespace', collectionVerb(kindOf('pods'), 'a', 'POST'), 'create'],
    ['creates what has no namespace', collectionVerb(kindOf('nodes'), '', 'POST'), 'create'],
    ['lists no reviews', collectionVerb(kindOf('tokenreviews'), '', 'GET'), undefined],
    ['patches no collection', collectionVerb(kindOf('pods'), 'a', 'PATCH'), undefined],
    ['posts to no item', itemVerb(kindOf('pods'), 'POST'), undefined],
    ['takes no method it does not know', itemVerb(kindOf('pods'), '__proto__'), undefined],
  ])('%s', (_name, verb, expected) => {
    expect(verb).toBe(expected)
  })
})
