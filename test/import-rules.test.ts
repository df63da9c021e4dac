import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { findBreaches, findKindComparisons, findLongFiles, findUnusedExports, rules } from '../scripts/import-rules.mjs'

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

  it('find exports that no other file uses', () => {
    const texts = new Map([
      ['src/a.ts', 'export const used = 1\nexport interface Unused {}\nexport const forTests = 2\n'],
      ['src/a.test.ts', "import { forTests } from './a.ts'\nexport const inTest = forTests\n"],
      ['web/b.ts', "import { used } from '../src/a.ts'\nexport function draw() {}\n"],
      ['scripts/c.mjs', 'export const script = 1\n'],
    ])
    expect(findUnusedExports(texts)).toEqual([
      'src/a.ts: no other file uses the export Unused',
      'web/b.ts: no other file uses the export draw',
    ])
  })

  it.each([
    ['a type as text', "if (write.kind.type === 'core.Pod') return"],
    ['another name', "const isProxied = kind.plural !== 'pods'"],
    ['a type that was taken out of the kind', "if (type === 'apps.Deployment') return"],
    ['a case', "case 'core.Service':"],
    ['a kind of the table', "import { pods } from '../../api/kinds.ts'\nif (kind === pods) return"],
  ])('find comparisons of kinds in the server: %s', (_, code) => {
    expect(findKindComparisons('src/server/rest/a.ts', code)).not.toEqual([])
    expect(findKindComparisons('src/server/kinds/pod/behavior.ts', code)).toEqual([])
    expect(findKindComparisons('src/controllers/a.ts', code)).toEqual([])
  })

  it.each([
    ['of the group with nothing', "kind.group === '' ? kind.plural : ''"],
    ['of two kinds', 'known.kind === kind && one.plural !== other.plural'],
  ])('allow comparisons %s in the server', (_, code) => expect(findKindComparisons('src/server/rest/a.ts', code)).toEqual([]))

  it.each([
    [
      'a file of 400 lines',
      [
        ['src/a.ts', 400],
        ['src/b.ts', 9],
        ['src/c.ts', 9],
      ],
      [],
    ],
    [
      'a file of 401 lines',
      [
        ['src/a.ts', 401],
        ['src/b.ts', 9],
        ['src/c.ts', 9],
      ],
      ['src/a.ts: 401 lines (at most 400: split it)'],
    ],
    [
      'a long test and a long generated file',
      [
        ['src/a.test.ts', 900],
        ['src/generated/pods.ts', 900],
        ['src/b.ts', 9],
      ],
      [],
    ],
  ])('limit the size of files: %s', (_, sizes, breaches) => expect(findLongFiles(new Map(sizes as [string, number][]))).toEqual(breaches))
})
