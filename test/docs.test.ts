// The documentation as a whole: its links, its site, and the blocks that are run.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { buildSite, pageNames, slugOf } from '../scripts/docs.mjs'
import { blocksNotRun } from './front-door/blocks-not-run.ts'
import { commandBlocks, commandFlags, unknownFlags } from './front-door/command-blocks.ts'
import { outputPattern, readBlocks } from './front-door/console-blocks.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const names: readonly string[] = pageNames()
const read = (path: string) => readFileSync(path, 'utf8')
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
const anchorsOf = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    slugOf(heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')),
  )

describe('the pages of docs/', () => {
  it.each([...names, '../README.md', '../CONTRIBUTING.md', '../SECURITY.md', '../ARCHITECTURE.md'])('%s links to what exists', (name) => {
    const path = join(docs, name)
    const broken = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => {
      if (/^[a-z]+:/.test(href)) return []
      const [file = '', anchor] = href.split('#')
      const target = file === '' ? path : join(dirname(path), decodeURIComponent(file))
      if (!existsSync(target)) return [`${href}: no such file`]
      if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)) return [`${href}: no such section`]
      return []
    })
    expect(broken).toEqual([])
  })

  it.each(names)('%s names pages by their titles', (name) => {
    expect([...withoutCode(read(join(docs, name))).matchAll(/\[[\w./-]+\.md\]\(/g)].map(([link]) => link)).toEqual([])
  })

  it('become a site whose links lead to its files, and which loads nothing from elsewhere', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-site-'))
    try {
      expect(await buildSite(folder)).toBe(names.length)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
      for (const file of files) {
        const html = read(join(folder, file))
        expect(html, file).not.toMatch(/(?:src|<link[^>]* href)="(?:https?:)?\/\//)
        const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
        const broken = links.filter((href) => {
          const [path = ''] = href.split('#')
          if (path === '' || /^[a-z]+:/.test(href)) return false
          const target = join(folder, dirname(file), path)
          return !target.startsWith(folder) || !existsSync(target)
        })
        expect(broken, file).toEqual([])
        // A heading with the id of the search, say, would look and act like it.
        const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
        expect(
          ids.filter((id, index) => ids.indexOf(id) !== index),
          file,
        ).toEqual([])
      }
      expect(read(join(folder, 'search-index.js'))).toContain('TerminationComplete')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('blocks of commands', () => {
  const rootPages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/README.md',
    'examples/simulate/README.md',
    'examples/testing/README.md',
  ]
  // Generated from --help, which reference.test.ts compares.
  const pages = [...names.filter((name) => name !== 'reference/commands.md').map((name) => `docs/${name}`), ...rootPages]
  const isListed = (page: string, text: string) => blocksNotRun.some((one) => one.page === page && text.trimStart().startsWith(one.begins))

  it.each(pages)('%s: are run by docs-commands.test.ts, or are in blocks-not-run.ts with a reason', (page) => {
    const text = read(join(root, page))
    // Only blocks of pages below docs/, and outside of lists, are run.
    const run = page.startsWith('docs/') ? readBlocks(text).length : 0
    const blocks = commandBlocks(text)
    const consoles = blocks.filter(({ language, text: block }) => language === 'console' && !isListed(page, block))
    const others = blocks.filter(({ language, text: block }) => language !== 'console' && !isListed(page, block))
    expect(others.map((block) => block.text.split('\n')[0])).toEqual([])
    expect(consoles).toHaveLength(run)
  })

  it('are in blocks-not-run.ts only where a page has them', () => {
    const stale = blocksNotRun.filter(
      ({ page, begins }) => !commandBlocks(read(join(root, page))).some(({ text }) => text.trimStart().startsWith(begins)),
    )
    expect(stale).toEqual([])
  })

  it.each([
    ['```sh\nls\n```', 1],
    ['```\nrollcall up\n```', 1],
    ['1. A list:\n\n   ```text\n   kubectl get pods\n   ```', 1],
    ['Text:\n\n    $ ls\n', 1],
    ['```yaml\nkubectl: true\n```', 0],
    ['```text\nwhat is printed\n```', 0],
  ])('are found: %j has %s', (page, count) => expect(commandBlocks(page)).toHaveLength(count))

  it('name commands and flags that exist', () => {
    const known = commandFlags(read(join(docs, 'reference/commands.md')))
    const wrong = pages
      .filter((page) => page !== 'docs/releasing.md')
      .flatMap((page) => unknownFlags(read(join(root, page)), known).map((one) => `${page}: ${one}`))
    expect(wrong).toEqual([])
  })
})

describe('console blocks', () => {
  it('are read with their files and their needs', () => {
    const page = 'The file is `a.yaml`:\n\n```yaml\nkind: A\n```\n\n```console kubernetes\n$ one \\\n  --flag\nout\n$ two\n```\n'
    expect(readBlocks(page)).toEqual([
      {
        needs: ['kubernetes'],
        files: new Map([['a.yaml', 'kind: A\n']]),
        commands: [
          { typed: 'one \\\n  --flag', output: 'out\n' },
          { typed: 'two', output: '' },
        ],
      },
    ])
  })

  it.each([
    ['a\nb\n', 'a\nb', true],
    ['a\nc\n', 'a\nb', false],
    ['a\nx\ny\nb\n', 'a\n…\nb', true],
    ['after 12 ms.\n', 'after … ms.', true],
    ['NAME   AGE\nweb    3s\n', 'NAME     AGE\nweb      …', true],
    ['up at https://127.0.0.1:41234 now\n', 'up at https://127.0.0.1:6443 now', true],
    ['a\nb\nc\n', 'a\nb', false],
  ])('compare %j with %j: %s', (printed, shown, isEqual) => expect(outputPattern(shown).test(printed)).toBe(isEqual))
})
