// The generated pages of the documentation are what the program says now.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { referencePages } from '../../scripts/reference-pages.mjs'
import { root } from './running-cluster.ts'

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

describe('docs/reference', () => {
  it.each(Object.entries(referencePages as Record<string, () => string | Promise<string>>))(
    '%s is current: npm run docs writes it',
    async (name, render) => {
      expect((await render()) === page(name), `docs/${name} is out of date. Run npm run docs`).toBe(true)
    },
    60_000,
  )

  it('has every annotation, label, gate and metric of Rollcall', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'),
    )
    const names = new Set<string>()
    for (const name of sources)
      for (const [, found = ''] of readFileSync(join(root, 'src', name), 'utf8').matchAll(
        /'(?:# HELP )?(rollcall\.dev\/[a-z-]+[a-z]|rollcall_[a-z_]+_[a-z]+)/g,
      ))
        names.add(found)
    expect(names.size).toBeGreaterThan(10)
    const text = `${page('reference/names.md')}${page('reference/metrics.md')}`
    expect([...names].filter((name) => !text.includes(name))).toEqual([])
  })

  it('has every metric of rollcall controllers and rollcall pacer', () => {
    const source = readFileSync(join(root, 'src/cluster/remote/remote-metrics.ts'), 'utf8')
    const metrics = [...source.matchAll(/(?:# HELP |^ +)([a-z]+_[a-z_]+)(?=: \{| )/gm)].map(([, name = '']) => name)
    expect(metrics.length).toBeGreaterThan(3)
    expect(metrics.filter((name) => !page('reference/metrics.md').includes(`\`${name}\``))).toEqual([])
  })

  it('has the Events that Rollcall adds, and no others', () => {
    const [, table = ''] = page('reference/names.md').split('## Events')
    const reasons = [...table.split('## ')[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason = '']) => reason)
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
      .join('\n')
    expect(reasons.length).toBeGreaterThan(5)
    expect(reasons.filter((reason) => !sources.includes(`'${reason}'`))).toEqual([])
    const recorded = [...sources.matchAll(/'((?:Pacer|Stage|Stuck|WaitingFor)[A-Z][a-z]\w*)'/g)].map(([, reason = '']) => reason)
    expect(recorded.filter((reason) => !reasons.includes(reason))).toEqual([])
  })
})
