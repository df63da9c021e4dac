import { describe, expect, it } from 'vitest'
import { defaultPullPolicy } from './image-pull-policy.ts'

const digest = `sha256:${'a'.repeat(64)}`

describe('defaultPullPolicy()', () => {
  it.each([
    ['no tag', 'nginx', 'Always'],
    ['the tag latest', 'nginx:latest', 'Always'],
    ['another tag', 'nginx:1.25', 'IfNotPresent'],
    ['a digest', `nginx@${digest}`, 'IfNotPresent'],
    ['latest and a digest', `nginx:latest@${digest}`, 'Always'],
    ['a host with a port and no tag', 'localhost:5000/a/b', 'Always'],
    ['a host with a port and a tag', 'example.com:5000/a/b:2', 'IfNotPresent'],
    ['an IPv6 host', '[::1]:5000/a', 'Always'],
    ['a path without a host', 'library/nginx', 'Always'],
    ['upper case, which is no name', 'Nginx', 'IfNotPresent'],
    ['upper case in the first part, which makes it a host', 'Host/nginx', 'Always'],
    ['a bad host', '-x.io/nginx', 'IfNotPresent'],
    ['what could be an identifier', 'a'.repeat(64), 'IfNotPresent'],
    ['a name that is too long with its folder', 'b'.repeat(248), 'IfNotPresent'],
    ['a name that is just short enough with its folder', 'b'.repeat(247), 'Always'],
    ['a long name of another host', `example.com/${'b'.repeat(255)}`, 'Always'],
    ['an empty text', '', 'IfNotPresent'],
    ['no text', undefined, 'IfNotPresent'],
    ['an empty tag', 'nginx:', 'IfNotPresent'],
    ['spaces', 'a b', 'IfNotPresent'],
  ])('%s', (_, image, expected) => {
    expect(defaultPullPolicy(image)).toBe(expected)
  })

  it('takes no longer for a name that nearly fits', () => {
    expect(defaultPullPolicy(`${'a-'.repeat(100_000)}!`)).toBe('IfNotPresent')
    expect(defaultPullPolicy(`${'a.a'.repeat(50_000)}/_`)).toBe('IfNotPresent')
  })
})
