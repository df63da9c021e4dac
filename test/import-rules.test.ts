import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { findBreaches, rules } from '../scripts/import-rules.mjs'

describe('import rules', () => {
  it('are kept', () => expect(findBreaches()).toEqual([]))

  it('are the table of ARCHITECTURE.md', () => {
    const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| `([\w/]+)\/` \|.*\| ([^|]+) \|$/gm)].map(([, folder, may]) => [
      folder,
      may === '–' ? [] : may!.split(', '),
    ])
    const table = Object.entries(rules as Record<string, { may: string[] }>).map(([folder, { may }]) => [folder, may])
    expect(rows).toEqual(table)
  })
})
