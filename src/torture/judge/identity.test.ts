import { expect, it } from 'vitest'
import { normalized } from './identity.ts'

it.each([
  ['a time', '2026-01-01T00:00:00Z', '<time>'],
  ['a uid within a text', 'of 6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'of <uid>'],
  ['the id of a container', `containerd://${'0a'.repeat(32)}`, 'containerd://<uid>'],
  ['the hash of a template', 'web-85d5b476dd', 'web-85d5b476dd'],
])('normalizes %s', (_, value, expected) => expect(normalized(value)).toBe(expected))
