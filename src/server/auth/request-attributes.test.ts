import { describe, expect, it } from 'vitest'
import { Query } from '../http/query.ts'
import { requestAttributes } from './request-attributes.ts'

const attributesOf = (path: string, method = 'GET') => requestAttributes(path, method, new Query(''))

describe('requestAttributes()', () => {
  it('does not see slashes at the beginning and the end', () => {
    const expected = { verb: 'list', namespace: 'default', resource: 'pods' }
    expect(attributesOf('/api/v1/namespaces/default/pods')).toMatchObject(expected)
    expect(attributesOf('///api/v1/namespaces/default/pods//')).toMatchObject(expected)
  })

  it.each(['/', '', '//', '/healthz', '/api', '/apis/apps'])('takes %j for a path that is no resource', (path) => {
    expect(attributesOf(path)).toEqual({ verb: 'get', path })
  })

  it('reads a long path at once', { timeout: 2000 }, () => {
    expect(attributesOf(`/a${'/'.repeat(60_000)}b`).verb).toBe('get')
    expect(attributesOf(`${'/'.repeat(60_000)}api/v1/pods`)).toMatchObject({ resource: 'pods' })
  })
})
