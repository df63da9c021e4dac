// Which declaration of Kubernetes each rule follows: comments of the form
//     // Kubernetes: pkg/apis/core/validation.ValidatePodSpec, ValidatePodUpdate
//     // Kubernetes: pkg/registry/apps/deployment.deploymentStrategy.*
//     // Ours: a policy is a feature of the proposals.
// A package and one or several of its declarations (a method with its type, or all methods of a type), or the reason of a rule that is ours. A file of rules without either
// fails the check, and so does a name that the pinned version of Kubernetes does not have, where the module cache has its sources.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Modules, pinnedVersion } from './kubernetes-changes/modules.mjs'
import { splitName } from './kubernetes-changes/names.mjs'
import { root } from './set-up.mjs'

/** What reads like a name of Kubernetes in a comment of another form. */
const loosePattern = /Kubernetes: (?:pkg|plugin|cmd|(?:sigs\.)?k8s\.io|github\.com|gopkg\.in)\//
const linePattern = /^\s*\/\/ (Kubernetes|Ours): (.*)$/
const furtherPattern = /^[A-Za-z_]\w*(?:\.(?:[A-Za-z_]\w*|\*))?$/

/** The names of a list: `package.Name`, and after it names of the same package. Undefined if it has another form. */
function namesOf(list) {
  const found = []
  for (const item of list.split(', ')) {
    const full = splitName(item)
    if (full !== undefined) found.push(full)
    else if (found.length > 0 && furtherPattern.test(item)) found.push({ package: found.at(-1).package, name: item })
    else return undefined
  }
  return found
}

/** What the comments of a file say: `{ names, isOurs, wrong }`. `wrong` are the comments of another form. */
export function readRuleSources(text) {
  const found = { names: [], isOurs: false, wrong: [] }
  for (const line of text.split('\n')) {
    const [, kind, rest] = linePattern.exec(line) ?? []
    if (kind === 'Ours' && rest.trim().length >= 10) found.isOurs = true
    else if (kind === undefined ? !loosePattern.test(line) : kind === 'Kubernetes' && namesOf(rest) !== undefined)
      found.names.push(...(kind === undefined ? [] : namesOf(rest)))
    else found.wrong.push(line.trim())
  }
  return found
}

const isTest = (path) => path.endsWith('.test.ts') || path.includes('/testing/')

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return entry.name.endsWith('.ts') ? [relative(root, path)] : []
  })
}

/** The comments of each file of src/ that has any, or that has to have one. */
export function readAllSources() {
  const found = new Map()
  for (const path of sources(join(root, 'src')))
    if (!isTest(path) && !path.includes('/generated/')) found.set(path, readRuleSources(readFileSync(join(root, path), 'utf8')))
  return found
}

/** The files of ours that name a declaration, by `package.Name`. */
export function filesOfNames(all) {
  const found = new Map()
  for (const [path, { names }] of all)
    for (const { package: of, name } of names) {
      const key = `${of}.${name}`
      found.set(key, [...new Set([...(found.get(key) ?? []), path])])
    }
  return found
}

/** The files of src/ that have each of these words. */
export function filesWithWords(words) {
  const found = new Map(words.map((word) => [word, []]))
  for (const path of sources(join(root, 'src'))) {
    if (isTest(path) || path.includes('/generated/')) continue
    for (const word of new Set(readFileSync(join(root, path), 'utf8').match(/\w+/g))) found.get(word)?.push(path)
  }
  return found
}

/** The declarations of a package that a name stands for: itself, or all methods of its type. */
export function declarationsOf(name, declarations) {
  if (!name.endsWith('.*')) return declarations.has(name) ? [name] : []
  return [...declarations.keys()].filter((one) => one.startsWith(name.slice(0, -1)))
}

/** Folders and files whose rules have to name their source. */
export const ruled = [
  /^src\/api\/kinds\/[^/]+\/.+\.ts$/,
  /^src\/api\/machinery\//,
  /^src\/controllers\//,
  /^src\/runtime\//,
  /^src\/nodes\/(?:autoscaler|kubelet|scheduler|stages|volumes)\//,
  /^src\/server\/(?:admission|aggregation|auth|custom|kinds|openapi|rest|webhooks)\//,
  /^src\/cluster\/rbac\//,
]

/** `file: what is wrong`. `modules`: the sources of Kubernetes; undefined to check the form only. */
export function findUnnamedSources(all, modules, patterns = ruled) {
  const breaches = []
  for (const [path, { names, isOurs, wrong }] of all) {
    for (const line of wrong) breaches.push(`${path}: "${line}" is not of the form // Kubernetes: package.Name, Name  or  // Ours: reason`)
    if (names.length === 0 && !isOurs && wrong.length === 0 && patterns.some((pattern) => pattern.test(path)))
      breaches.push(
        `${path}: say which declaration of Kubernetes the rules follow (// Kubernetes: package.Name) or why they are ours (// Ours: reason)`,
      )
    for (const { package: of, name } of names) {
      if (modules === undefined) continue
      if (modules.moduleOf(of) === undefined) breaches.push(`${path}: ${of} is in no module of Kubernetes ${modules.version}`)
      else if (modules.folder(of) !== undefined && declarationsOf(name, modules.package(of)).length === 0)
        breaches.push(`${path}: Kubernetes ${modules.version} has no ${of}.${name}`)
    }
  }
  return breaches
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const all = readAllSources()
  const modules = Modules.cached(pinnedVersion())
  const breaches = findUnnamedSources(all, modules)
  for (const breach of breaches) console.error(breach)
  if (modules === undefined) console.log(`Only the form was checked: the module cache does not have Kubernetes ${pinnedVersion()}.`)
  if (process.argv.includes('--count'))
    console.log(
      `${filesOfNames(all).size} declarations of Kubernetes in ${[...all.values()].filter(({ names }) => names.length > 0).length} files`,
    )
  process.exit(breaches.length === 0 ? 0 : 1)
}
