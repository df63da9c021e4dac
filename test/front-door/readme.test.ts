// The commands of the README print the output that it shows.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from './running-cluster.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

describe('README.md', () => {
  it('shows the real output of its first command', () => {
    const [, typed = '', shown] = /npm run -s rollcall -- (simulate [\s\S]+?)\n\n```text\n([\s\S]+?)\n```/.exec(readme) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-readme-'))
    const report = join(folder, 'web.html')
    const words = typed.replaceAll('\\\n', ' ').trim().split(/\s+/)
    const args = words.map((word) => (word === 'web.html' ? report : word))
    try {
      expect(args).toContain(report)
      const { stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: root, encoding: 'utf8' })
      expect(`${stdout}${stderr}`.replace(report, 'web.html').trimEnd()).toBe(shown)
      expect(readFileSync(report, 'utf8')).toContain('<svg')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('names files that are there', () => {
    const files = [...readme.matchAll(/\]\(([^):]+)\)/g)].map(([, file]) => file!)
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  })
})
