import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { apiReference, apiReferenceFile } from '../../scripts/api-reference.mjs'

describe('docs/reference/api.md', () => {
  it('is what the types say: npm run docs writes it', async () => {
    expect(readFileSync(apiReferenceFile, 'utf8')).toBe(await apiReference())
  }, 60_000)
})
