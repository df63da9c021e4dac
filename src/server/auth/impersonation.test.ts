import { describe, expect, it } from 'vitest'
import type { Authorizer } from './authorizer.ts'
import { impersonate } from './impersonation.ts'

const headersOf = (headers: Readonly<Record<string, string>>) => ({
  header: (name: string) => headers[name],
  headerValues: (name: string) => (headers[name] === undefined ? [] : [headers[name]]),
  headerNames: () => Object.keys(headers),
})

describe('impersonate()', () => {
  it.each(['scopes', '__proto__', 'constructor'])('checks the permission for the extra field %s', (key) => {
    const checked: unknown[] = []
    const authorizer = {
      authorize: (_caller: unknown, request: unknown) => {
        checked.push(request)
        return { allowed: true, reason: '' }
      },
    } as unknown as Authorizer
    const headers = headersOf({ 'impersonate-user': 'eve', [`impersonate-extra-${key}`]: 'all' })
    const caller = impersonate({ name: 'bob', groups: [] }, headers, authorizer, () => ({ verb: 'get', path: '/' }))
    expect(checked).toContainEqual(expect.objectContaining({ resource: 'userextras', subresource: key, name: 'all' }))
    expect(Object.entries(caller.extra ?? {})).toEqual([[key, ['all']]])
  })
})
