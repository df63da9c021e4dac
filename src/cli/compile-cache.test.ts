import { expect, it, vi } from 'vitest'
import { enableCompileCache } from './compile-cache.ts'

it('enables the cache of Node.js', () => {
  const node = { enableCompileCache: vi.fn() }
  enableCompileCache(node)
  expect(node.enableCompileCache).toHaveBeenCalledOnce()
})

it('does nothing in a version of Node.js without one', () => {
  expect(() => enableCompileCache({})).not.toThrow()
})
