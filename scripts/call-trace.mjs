// `node scripts/call-trace.mjs [CLONE]`: how many calls, and how many switches between files and folders of src/, one Deployment takes from
// its creation until its pod is ready, in a virtual cluster. Every function of src/ is instrumented; what runs before and after is
// not counted. With a CLONE, the sources of that clone are measured, to compare two versions. `--pairs` lists the pairs of functions where
// the folder changes, most frequent first.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { root } from './set-up.mjs'

const listsPairs = process.argv.includes('--pairs')
const clone = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? root)
const src = join(clone, 'src')
const library = ['simulate/library/test-cluster.ts', 'simulate/test-cluster.ts']
  .map((path) => join(src, path))
  .find((path) => existsSync(path))
if (library === undefined) throw new Error(`Cannot measure ${clone}: it has no library for tests`)

/** Each function of the file begins with a call of `__enter` with the file's name and the line of the function. */
function instrument(path, text) {
  const name = JSON.stringify(relative(src, path))
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const inserts = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
      if (ts.isBlock(node.body)) {
        const first = node.body.statements[0]
        // `super` comes first in the constructor of a derived class.
        const at =
          ts.isConstructorDeclaration(node) && first !== undefined && /^super\b/.test(first.getText())
            ? first.end
            : node.body.getStart() + 1
        inserts.push([at, `;globalThis.__enter?.(${name}, ${line});`])
      } else {
        inserts.push([node.body.getStart(), `(globalThis.__enter?.(${name}, ${line}),(`])
        inserts.push([node.body.end, '))'])
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  let result = text
  for (const [at, what] of inserts.sort((a, b) => b[0] - a[0])) result = result.slice(0, at) + what + result.slice(at)
  return result
}

const { build } = await import('esbuild')
const folder = mkdtempSync(join(clone, 'node_modules', '.call-trace-')) // beside the packages that it imports
try {
  await build({
    absWorkingDir: clone,
    entryPoints: { library },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'instrument',
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({ contents: instrument(path, readFileSync(path, 'utf8')), loader: 'ts' }))
        },
      },
    ],
  })
  const { createCluster } = await import(pathToFileURL(join(folder, 'library.mjs')).href)
  const cluster = await createCluster({ nodes: 1, seed: 1 })
  await cluster.advance('1m')
  let [calls, files, folders] = [0, 0, 0]
  let [file, top, place] = ['', '', '']
  const perFolder = new Map()
  const perPair = new Map()
  const perPlaces = new Map()
  globalThis.__enter = (name, line) => {
    calls++
    const before = place
    place = `${name}:${line}`
    if (name === file) return
    files++
    file = name
    const next = name.slice(0, name.indexOf('/'))
    perFolder.set(next, (perFolder.get(next) ?? 0) + 1)
    if (next === top) return
    folders++
    const pair = [top, next].sort().join('/ and ')
    perPair.set(pair, (perPair.get(pair) ?? 0) + 1)
    const places = `${before} → ${place}`
    perPlaces.set(places, (perPlaces.get(places) ?? 0) + 1)
    top = next
  }
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } },
    },
  })
  await cluster.advance('10s')
  globalThis.__enter = undefined
  const [pod] = await cluster.list('Pod')
  if (!pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'))
    throw new Error('the pod is not ready after 10 s')
  console.log(`${calls} calls, ${files} switches between files, ${folders} switches between folders`)
  for (const [name, count] of [...perFolder].sort((a, b) => b[1] - a[1]))
    console.log(`  ${String(count).padStart(6)} file switches into ${name}/`)
  for (const [pair, count] of [...perPair].sort((a, b) => b[1] - a[1]))
    console.log(`  ${String(count).padStart(6)} folder switches between ${pair}/`)
  if (listsPairs)
    for (const [places, count] of [...perPlaces].sort((a, b) => b[1] - a[1])) console.log(`  ${String(count).padStart(6)} ${places}`)
  await cluster.stop?.()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
