import { describe, expect, it } from 'vitest'
import { rewriteLinks } from './pod-proxy.ts'

describe('rewriteLinks()', () => {
  it.each<[what: string, html: string, rewritten: string]>([
    ['an absolute path', '<a href="/x">test</a>', '<a href="/proxy/x">test</a>'],
    ['several links, in any case and quotes', `<IMG SRC='/a' alt=/b><form action=/c>`, `<IMG SRC='/proxy/a' alt=/b><form action=/proxy/c>`],
    ['a relative path', '<a href="x">', '<a href="x">'],
    ['another host', '<a href="//other/x"><a href="http://other/x">', '<a href="//other/x"><a href="http://other/x">'],
    ['a link that has the prefix', '<a href="/proxy/x">', '<a href="/proxy/x">'],
    ['attributes that are not links', '<p href="/x" title="<a href=\'/y\'>">', '<p href="/x" title="<a href=\'/y\'>">'],
    ['text that looks like a link', '1 < 2 href="/x" <a', '1 < 2 href="/x" <a'],
    ['an attribute without a value', '<script async src="/x" defer/>', '<script async src="/proxy/x" defer/>'],
  ])('%s', (_what, html, rewritten) => {
    expect(rewriteLinks(html, '/proxy')).toBe(rewritten)
  })

  it.each(['<a "', '<a a', '<a =', `<a ${'a'.repeat(100)} `, '<'])('takes linear time for many repetitions of %s', (piece) => {
    const html = piece.repeat(200_000 / piece.length)
    expect(rewriteLinks(html, '/proxy')).toBe(html)
  })
})
