// The import rules of the folders, the limits of file sizes, and a search for exports that no file uses. The table is the one in ARCHITECTURE.md, with the reasons.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './set-up.mjs'

export const rules = {
  base: { may: [], why: 'all other folders import it' },
  'api/machinery': { may: ['base'], why: 'code for all kinds must also work for a kind that is added later' },
  'api/kinds': {
    may: ['api/machinery', 'base'],
    types: ['src/api/types.ts'],
    why: 'the kinds are data and pure functions, usable without a server',
  },
  api: { may: ['api/kinds', 'api/machinery', 'base'], why: 'the tables of all kinds read the kinds only' },
  store: { may: ['base'], why: 'a store knows no kinds' },
  server: { may: ['store', 'api', 'base'], why: 'the server is independent of its clients' },
  client: { may: ['api', 'base'], why: 'a client works against any Kubernetes API server' },
  runtime: { may: ['client', 'api', 'base'], why: 'the runtime is the same for every controller' },
  controllers: { may: ['runtime', 'client', 'api', 'base'], why: 'a controller reads and writes through its client only' },
  nodes: { may: ['runtime', 'client', 'api', 'base'], why: 'simulated nodes are clients of the API' },
  cluster: {
    may: ['controllers', 'nodes', 'runtime', 'client', 'server', 'store', 'api', 'base'],
    why: 'the only place that puts the parts together',
  },
  simulate: { may: ['cluster', 'client', 'api', 'base'], why: 'a simulation is a cluster in virtual time' },
  torture: {
    may: ['cluster', 'server', 'store', 'client', 'api', 'base'],
    why: 'torture runs programs against forks of a cluster, and reads their requests and changes',
  },
  cli: { may: ['torture', 'simulate', 'cluster', 'client', 'api', 'base'], why: 'a command parses its flags and calls the other folders' },
  explore: { may: ['controllers', 'api', 'base'], why: 'the explorer runs the planners of the controllers, without clusters' },
}

const pure = { folders: ['base', 'api', 'api/machinery', 'api/kinds'], why: 'pure code runs anywhere, also in a browser' }

/** Decisions: pure functions of data, next to the controller that carries them out. */
const plan = { pattern: /^src\/controllers\/[^/]+\/plan\//, may: ['api', 'base'], why: 'decisions are pure functions of data' }

/** Code for tests lives in folders of this name, and only tests import it. */
const isTesting = (path) => /\/testing\//.test(path)

/** The script of reports runs in a browser. It may import its own folder and these files. */
const page = {
  folder: 'src/simulate/report/page/',
  may: /^src\/simulate\/(?:report\/|rollout\/(?:result|lengths)\.ts$)/,
  why: 'the page of a report runs in a browser, and is part of every report',
}

/** The dashboard runs in a browser and talks to servers over HTTP only. */
const web = {
  may: /^(?:web\/|src\/base\/)/,
  packages: ['preact', 'preact/hooks', 'uplot'],
  why: 'the dashboard runs in a browser, and uses the API of the cluster only',
}

const clockOnly = [
  /\bDate\.now\b/,
  /\bnew Date(?:\(\s*\)|(?!\())/,
  /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\(/,
  /\bperformance\.now\b/,
]

/** Each pattern may occur in the named files only. */
const confined = [
  { patterns: clockOnly, in: ['src/base/clock.ts'], why: 'time is injected through Clock' },
  { patterns: [/\bMath\.random\b/], in: ['src/base/random.ts'], why: 'randomness is injected through Random' },
]

/** What is special about a kind belongs to its folder in src/server/kinds/, which the generic code of the server finds by the kind. */
const genericServer = { folder: 'src/server/', except: 'src/server/kinds/' }
const importedKinds = /import \{([^}]*)\} from '[./]*\/api\/kinds\.ts'/
const kindComparisons = [
  /\b(?:kind|resource)\.(?:type|kind|plural|group) [!=]== '[^']/,
  /[!=]== '[\w/]+\.[A-Z]\w+'/,
  /\bcase '[\w/]+\.[A-Z]\w+'/,
]

/** Each comparison of a kind with a certain one, in generic code of the server. */
export function findKindComparisons(name, code) {
  if (!name.startsWith(genericServer.folder) || name.startsWith(genericServer.except)) return []
  const names = (importedKinds.exec(code)?.[1] ?? '').match(/\w+/g) ?? []
  const patterns = names.length === 0 ? kindComparisons : [...kindComparisons, new RegExp(`[!=]== (?:${names.join('|')})\\b`)]
  return patterns.flatMap((pattern) => pattern.exec(code) ?? [])
}

/** Modules of Node of which only the types may be imported. */
const avoided = { names: ['node:http', 'http'], use: 'src/server/http/node-http.ts', why: 'it loads fetch and WebSocket too' }

/** In lines. Tests and generated files may be longer. */
const maxLines = 400
const isGenerated = (path) => path.includes('/generated/')

/** The files above the limit. `sizes`: the lines of each file by its name. */
export const findLongFiles = (sizes) =>
  [...sizes]
    .filter(([name, lines]) => !isTest(name) && !isGenerated(name) && lines > maxLines)
    .map(([name, lines]) => `${name}: ${lines} lines (at most ${maxLines}: split it)`)

const exportPattern = /^export (?:async )?(?:const|let|function\*?|class|interface|type) ([\w$]+)/gm

/** The exports of src/ and web/ that no other file names. `texts`: the content of each file by its name. */
export function findUnusedExports(texts) {
  const users = new Map()
  for (const [name, text] of texts) for (const word of new Set(text.match(/[\w$]+/g))) users.set(word, users.has(word) ? 'several' : name)
  return [...texts].flatMap(([name, text]) =>
    isTest(name) || !/^(?:src|web)\//.test(name)
      ? []
      : [...text.matchAll(exportPattern)]
          .filter(([, exported]) => users.get(exported) === name)
          .map(([, exported]) => `${name}: no other file uses the export ${exported}`),
  )
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return /\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : []
  })
}

/** The folder of the table that a path below src/ belongs to. */
const folderOf = (path) => Object.keys(rules).find((folder) => path.startsWith(`${folder}/`) && folder.includes('/')) ?? path.split('/')[0]

/** A folder that may import `api` may import all of it; within api, each folder is named. */
const mayImport = (rule, to) => rule.may.includes(to) || (rule.may.includes(to.split('/')[0]) && to.includes('/'))

const importPattern = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
const isTest = (path) => path.endsWith('.test.ts') || isTesting(path)

/** `file: what is wrong (why)`, for every violation in src/ and web/. */
export function findBreaches() {
  const src = join(root, 'src')
  const files = sources(src)
  const texts = new Map(
    ['src', 'web', 'test', 'scripts', 'bench', 'setup']
      .flatMap((folder) => sources(join(root, folder)))
      .map((file) => [relative(root, file), readFileSync(file, 'utf8')]),
  )
  const breaches = []
  const graph = new Map()
  const sizes = new Map()
  for (const file of files) {
    const name = relative(root, file)
    const folder = folderOf(relative(src, file))
    const text = texts.get(name)
    sizes.set(name, text.split('\n').length - 1)
    const rule = rules[folder]
    if (rule === undefined) breaches.push(`${name}: "${folder}" is not a folder of the table`)
    const targets = []
    for (const match of text.matchAll(importPattern)) {
      const specifier = match[1] ?? match[2]
      const isAvoided = avoided.names.includes(specifier) && name !== avoided.use && !isTest(file)
      if (isAvoided && !/\b(?:import|export) type\b/.test(match[0]))
        breaches.push(`${name}: use ${avoided.use} instead of ${specifier} (${avoided.why})`)
      if (specifier.startsWith('.')) {
        const target = resolve(dirname(file), specifier)
        const to = folderOf(relative(src, target))
        const isType = /\b(?:import|export) type\b/.test(match[0])
        if (!/\.(ts|json)$/.test(specifier) && !isTest(file)) breaches.push(`${name}: "${specifier}" must name its file, with .ts or .json`)
        const isSharedType = isType && rule?.types?.includes(relative(root, target)) === true
        if (to !== folder && rule !== undefined && !mayImport(rule, to) && !isSharedType && !isTest(file))
          breaches.push(`${name}: ${folder} may not import ${to} (${rule.why})`)
        if (plan.pattern.test(name) && !isTest(file) && !plan.pattern.test(relative(root, target)) && !mayImport(plan, to))
          breaches.push(`${name}: a plan may not import ${relative(root, target)} (${plan.why})`)
        if (isTesting(target) && !isTesting(file) && !isTest(file))
          breaches.push(`${name}: only tests may import ${relative(root, target)}`)
        if (name.startsWith(page.folder) && !page.may.test(relative(root, target)))
          breaches.push(`${name}: the page may not import ${relative(root, target)} (${page.why})`)
        if (!isType) targets.push(target)
      } else if (specifier.startsWith('node:') && (pure.folders.includes(folder) || plan.pattern.test(name)) && !isTest(file)) {
        breaches.push(`${name}: ${folder} may not import ${specifier} (${pure.why})`)
      } else if (name.startsWith(page.folder) && !isTest(file)) {
        breaches.push(`${name}: the page may not import ${specifier} (${page.why})`)
      }
    }
    graph.set(file, targets)
    if (!isTest(file)) {
      for (const found of findKindComparisons(name, text))
        breaches.push(`${name}: "${found}" asks for a certain kind (its folder in src/server/kinds/ says what is special about it)`)
      const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
      for (const { patterns, in: allowed, why } of confined)
        if (!allowed.includes(name))
          for (const pattern of patterns) if (pattern.test(code)) breaches.push(`${name}: uses ${pattern.source} (${why})`)
    }
  }
  for (const file of sources(join(root, 'web'))) {
    if (isTest(file)) continue
    for (const match of readFileSync(file, 'utf8').matchAll(importPattern)) {
      const specifier = match[1] ?? match[2]
      const target = specifier.startsWith('.') ? relative(root, resolve(dirname(file), specifier)) : specifier
      if (!web.packages.includes(target) && !web.may.test(target))
        breaches.push(`${relative(root, file)}: web may not import ${target} (${web.why})`)
    }
  }
  if (files.length < 20) breaches.push(`only ${files.length} files seen: does the check read the right folder?`)
  return [...breaches, ...findLongFiles(sizes), ...findUnusedExports(texts), ...findCycles(graph)]
}

function findCycles(graph) {
  const cycles = []
  const state = new Map()
  const visit = (file, path) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      cycles.push(`a cycle of imports: ${[...path.slice(path.indexOf(file)), file].map((one) => relative(root, one)).join(' → ')}`)
      return
    }
    state.set(file, 'open')
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const breaches = findBreaches()
  for (const breach of breaches) console.error(breach)
  process.exit(breaches.length === 0 ? 0 : 1)
}
