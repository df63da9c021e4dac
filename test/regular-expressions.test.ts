// Regular expressions of the server and of the simulated nodes take linear time, whatever is sent to them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** With the place of each. */
function literalsIn(folder: string): [literal: string, place: string][] {
  const found: [string, string][] = []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => one.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(one))) {
    const path = join(root, folder, name)
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.pos)
        found.push([node.text, `${relative(root, path)}:${line + 1}`])
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

const length = 8_000
const units = ['1', 'a', 'A', ' ', '\n', '-', '.', '/', 'a.', 'a-', '-a', '1.', 'a/', '\\', '"', '\t', ',', 'a,', '=', 'a=', '(', '[', '{']
const moreUnits = ['%', '$', '..', '../', 'a b', ': ', '#', '0', '_', 'x1', '://', '@']
const texts = [...units, ...moreUnits].flatMap((unit) => {
  const many = unit.repeat(length / unit.length)
  return ['', '1', '"'].flatMap((start) => ['', '!', '\u0001'].map((end) => start + many + end))
})
/** A linear one takes less than 1 ms, a quadratic one about 50 ms. */
const limitMs = 10

function isSlow(expression: RegExp, text: string): boolean {
  // Three times: another program may have taken the processor.
  return [1, 2, 3].every(() => {
    expression.lastIndex = 0
    const startMs = performance.now()
    expression.test(text)
    return performance.now() - startMs > limitMs
  })
}

/** They never get a long text. */
const exceptions: Readonly<Record<string, string>> = {
  'src/base/quantity.ts': 'a quantity of more than 1,000 characters is refused before',
  'src/api/machinery/go-dump/dump.ts': 'a quantity that was read before',
  'src/api/machinery/cel/time.ts': 'a duration of more than 1,000 characters is refused before',
  'src/api/machinery/setting-annotation.ts': 'a name of 63 characters',
  'src/api/machinery/validation/resources.ts': 'the digits of a quantity',
  'src/nodes/shell/printf.ts': 'a formatted number',
}

it.each(['src/api', 'src/base', 'src/controllers', 'src/nodes', 'src/server'])(
  'no regular expression of %s takes a time that grows with the square of the text',
  (folder) => {
    const literals = literalsIn(folder).filter(([, place]) => !Object.hasOwn(exceptions, place.replace(/:\d+$/, '')))
    expect(literals.length).toBeGreaterThan(0)
    const slow = literals.filter(([literal]) => {
      const end = literal.lastIndexOf('/')
      const expression = new RegExp(literal.slice(1, end), literal.slice(end + 1).replace('g', ''))
      return texts.some((text) => isSlow(expression, text))
    })
    expect(slow).toEqual([])
  },
  120_000,
)
