// Regular expressions of the server and of the simulated nodes take linear time, whatever is sent to them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterEach, expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Found {
  readonly expression: RegExp
  readonly place: string
}

interface SourceFile {
  /** Relative to the root. */
  readonly path: string
  readonly literals: readonly Found[]
  /** How often the file calls the constructor. */
  readonly constructions: number
}

function filesIn(folder: string): readonly SourceFile[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = names.filter((one) => one.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(one))
  return sources.map((name) => {
    const path = join(folder, name)
    const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
    const literals: Found[] = []
    let constructions = 0
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.pos)
        const end = node.text.lastIndexOf('/')
        const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1))
        literals.push({ expression, place: `${path}:${line + 1}` })
      } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression))
        constructions += node.expression.text === 'RegExp' ? 1 : 0
      ts.forEachChild(node, visit)
    }
    visit(source)
    return { path, literals, constructions }
  })
}

/** The expressions that the file constructs while it is loaded. */
async function constructedIn(path: string): Promise<readonly Found[]> {
  const found: Found[] = []
  const native = RegExp
  const recording = new Proxy(native, {
    construct(target, args) {
      const expression = Reflect.construct(target, args) as RegExp
      if (new Error().stack?.split('\n')[2]?.includes(path)) found.push({ expression, place: path })
      return expression
    },
  })
  vi.resetModules()
  vi.stubGlobal('RegExp', recording)
  await import(join(root, path))
  vi.unstubAllGlobals()
  return found
}
afterEach(() => vi.unstubAllGlobals())

const length = 8_000
const units = ['1', 'a', 'A', ' ', '\n', '-', '.', '/', 'a.', 'a-', '-a', '1.', 'a/', '\\', '"', '\t', ',', 'a,', '=', 'a=', '(', '[', '{']
const moreUnits = ['%', '$', '..', '../', 'a b', ': ', '#', '0', '_', 'x1', '://', '@']
const textsFrom = (starts: readonly string[]) =>
  [...units, ...moreUnits].flatMap((unit) => {
    const many = unit.repeat(length / unit.length)
    return starts.flatMap((start) => ['', '!', '\u0001'].map((end) => start + many + end))
  })
const texts = textsFrom(['', '1', '"'])
/** These expressions read formats of several parts. */
const moreTexts = textsFrom(['', '1', '"', 'a', 'a.', 'a/', 'a@', 'a:', '\\', 'rgb(', '<a@', '2026-01-02', '1_', '.', '\u00e4'])
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

const folders = ['src/api', 'src/base', 'src/controllers', 'src/nodes', 'src/server']

const slowOf = (all: readonly Found[], tried: readonly string[]) =>
  all
    .filter(({ expression }) => {
      const single = new RegExp(expression.source, expression.flags.replace('g', ''))
      return tried.some((text) => isSlow(single, text))
    })
    .map(({ expression, place }) => `${place}: ${expression}`)

it.each(folders)(
  'no regular expression of %s takes a time that grows with the square of the text',
  (folder) => {
    const literals = filesIn(folder).flatMap((file) => (Object.hasOwn(exceptions, file.path) ? [] : file.literals))
    expect(literals.length).toBeGreaterThan(0)
    expect(slowOf(literals, texts)).toEqual([])
  },
  120_000,
)

it.each(folders.flatMap((folder) => filesIn(folder).filter(({ constructions }) => constructions > 0)))(
  'nor does one that $path constructs',
  async ({ path, constructions }) => {
    const constructed = await constructedIn(path)
    // One that is constructed later could depend on what is sent.
    expect(constructed.length).toBeGreaterThanOrEqual(constructions)
    expect(slowOf(constructed, moreTexts)).toEqual([])
  },
  120_000,
)
