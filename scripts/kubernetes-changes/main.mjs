// `npm run kubernetes-changes -- v1.36.4 v1.37.1`: what changed between two versions of Kubernetes that our code may have to follow. Downloads the
// published modules of both. Further arguments: --json; --diff NAME prints how a declaration changed; --package PATH lists all changes of a package.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { declarationsOf, filesOfNames, filesWithWords, readAllSources } from '../rule-sources.mjs'
import { root } from '../set-up.mjs'
import { compareMaps, compareTypes, readGates, readResources, readTypes } from './facts.mjs'
import { compareNamed, comparePackage } from './functions.mjs'
import { Modules } from './modules.mjs'
import { splitName } from './names.mjs'
import { format } from './report.mjs'

const usage = 'npm run kubernetes-changes -- OLD-VERSION NEW-VERSION [--json] [--diff NAME]… [--package PATH]…'

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      diff: { type: 'string', multiple: true },
      package: { type: 'string', multiple: true },
    },
  })
  if (positionals.length !== 2 || !positionals.every((one) => /^v1\.\d+\.\d+$/.test(one)))
    throw new Error(`Two versions are needed: ${usage}`)
  const given = filesOfNames(readAllSources())
  const packages = [...new Set([...given.keys(), ...(values.diff ?? [])].map(packageOf).concat(values.package ?? []))].sort()
  const versions = positionals.map((version) => Modules.download(version, packages))
  const [old, next] = versions.map((modules) => (path) => modules.package(path))
  const named = expand(given, old, next)
  if (values.diff !== undefined) {
    for (const name of values.diff) process.stdout.write(diff(name, old, next))
    return
  }
  if (values.package !== undefined) {
    const changes = values.package.flatMap((path) => comparePackage(path, old, next, named))
    process.stdout.write(values.json ? `${JSON.stringify(changes, undefined, 2)}\n` : format.packages(changes))
    return
  }
  const changes = {
    from: positionals[0],
    to: positionals[1],
    resources: compareMaps(...versions.map(resources)),
    ...compareTypes(...positionals.map((version) => readTypes(printTypes(version)))),
    gates: withFiles(compareMaps(...versions.map(gates))),
    functions: compareNamed(named, old, next, (name) => versions[1].packagesWith(name, packages)),
    named: named.size,
  }
  process.stdout.write(values.json ? `${JSON.stringify(changes, undefined, 2)}\n` : format.all(changes))
}

function packageOf(full) {
  const found = splitName(full)
  if (found === undefined) throw new Error(`${full} is no name of a declaration, such as pkg/apis/core/validation.ValidatePodSpec`)
  return found.package
}

/** Our files by each declaration: `Type.*` stands for the methods of a type in either version. */
function expand(given, old, next) {
  const named = new Map()
  for (const [key, files] of given) {
    const of = packageOf(key)
    const name = key.slice(of.length + 1)
    const found = new Set([...declarationsOf(name, old(of)), ...declarationsOf(name, next(of))])
    for (const one of found.size === 0 ? [name] : found) {
      const full = `${of}.${one}`
      named.set(full, [...new Set([...(named.get(full) ?? []), ...files])].sort())
    }
  }
  return named
}

/** The importer prints the types of any version. */
function printTypes(version) {
  const folder = 'scripts/kubernetes-import'
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
  return execFileSync('go', ['run', ...files.map((name) => `${folder}/${name}`), '--print', version], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
}

const gates = (modules) =>
  readGates(
    parse(modules.read('test/compatibility_lifecycle/reference/versioned_feature_list.yaml')),
    Number(modules.version.split('.')[1]),
  )

const resources = (modules) =>
  readResources(
    modules
      .list('api/discovery')
      .filter((name) => name.includes('__'))
      .map((name) => JSON.parse(modules.read(`api/discovery/${name}`)))
      .filter(({ kind }) => kind === 'APIResourceList'),
  )

/** Adds our files that have the name of a gate. */
function withFiles(changes) {
  const files = filesWithWords(Object.values(changes).flatMap((list) => list.map(({ name }) => name)))
  return Object.fromEntries(
    Object.entries(changes).map(([what, list]) => [what, list.map((one) => ({ ...one, files: files.get(one.name) }))]),
  )
}

/** How a declaration changed, as a diff without names of files. */
function diff(name, old, next) {
  const of = packageOf(name)
  const own = name.slice(of.length + 1)
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-changes-'))
  try {
    for (const [file, read] of [
      ['old', old],
      ['new', next],
    ])
      writeFileSync(join(folder, file), `${read(of).get(own)?.source ?? ''}\n`)
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '-U6', 'old', 'new'], { cwd: folder, encoding: 'utf8' })
    return `── ${name}\n${stdout.split('\n').slice(4).join('\n')}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

try {
  main()
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
}
