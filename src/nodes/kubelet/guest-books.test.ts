import { expect, test } from 'vitest'
import type { Container, Pod } from '../../api/types.ts'
import { GuestBooks } from './guest-books.ts'

test('agnhost guestbook shows in all pods of a namespace what was written', () => {
  const books = new GuestBooks()
  const container: Container = { name: 'c', image: 'agnhost', args: ['guestbook'] }
  const ask = (namespace: string, path: string) => {
    const pod: Pod = { metadata: { name: 'p', namespace } }
    const request = { method: 'GET', path, port: '80', isTls: false }
    const { code, body } = books.responseOf(pod, container, { pod: new Map(), host: new Map() } as never, request, 0)!
    return `${code} ${body.trim()}`
  }
  expect(ask('a', '/guestbook?cmd=get&key=m')).toBe('200 {"data":""}')
  expect(ask('a', '/guestbook?cmd=set&key=m&value=hi')).toBe('200 {"message":"Updated"}')
  expect(ask('a', '/get?key=m')).toBe('200 {"data":"hi"}')
  expect(ask('b', '/get?key=m')).toBe('200 {"data":""}')
  expect(ask('a', '/guestbook?cmd=drop')).toBe("400 unsupported cmd: 'drop'")
  expect(ask('a', '/none')).toBe('404 404 page not found')
})
