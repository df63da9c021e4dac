// The Go modules of a version of Kubernetes, in the module cache.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../set-up.mjs'
import { readPackage } from './go-source.mjs'

/** The version that tests run against, and that the tables of types are from. */
export const pinnedVersion = () => /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(root, 'test/kubernetes/go.mod'), 'utf8'))[1]

const cache = () => process.env.GOMODCACHE || join((process.env.GOPATH || join(homedir(), 'go')).split(':')[0], 'pkg/mod')

/** Upper case is escaped in the cache, as files may not differ in case alone. */
const folderOf = (module, version) =>
  join(
    cache(),
    `${module}@${version}`.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
  )

/** The module of Kubernetes itself. Below it, paths are written without it. */
export const main = 'k8s.io/kubernetes'

/** The version of each module that a version of Kubernetes is built from. */
function versionsOf(goMod, version) {
  const found = new Map([[main, version]])
  for (const [, module, of] of goMod.matchAll(/^\t(\S+\/\S+) (v\S+)/gm)) found.set(module, of)
  for (const [, module] of goMod.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging\//gm)) found.set(module, `v0${version.slice(2)}`)
  return found
}

function download(names) {
  const output = execFileSync('go', ['mod', 'download', '-json', ...names], { cwd: tmpdir(), encoding: 'utf8', maxBuffer: 1 << 26 })
  const missing = [...output.matchAll(/"Error": "(.*)"/g)].map(([, error]) => error)
  if (missing.length > 0) throw new Error(missing.join('\n'))
}

/** Tests, and code generated from the types, which no rule follows. */
const ignored = /_test\.go$|\.pb\.go$|^zz_generated\.(?:deepcopy|model_name)|^types_swagger_doc_generated/

/** Reads the packages of one version. It needs the module `k8s.io/kubernetes` in the cache. */
export class Modules {
  #versions
  #packages = new Map()

  constructor(version) {
    this.version = version
    this.#versions = versionsOf(readFileSync(join(folderOf(main, version), 'go.mod'), 'utf8'), version)
  }

  /** Undefined where the cache does not have Kubernetes in this version. */
  static cached(version) {
    return existsSync(join(folderOf(main, version), 'go.mod')) ? new Modules(version) : undefined
  }

  /** Downloads the modules of these packages too. */
  static download(version, packages = []) {
    download([`${main}@${version}`])
    const modules = new Modules(version)
    const names = new Set(packages.map((path) => modules.moduleOf(path)).filter((module) => module !== undefined && module !== main))
    if (names.size > 0) download([...names].map((name) => `${name}@${modules.#versions.get(name)}`))
    return modules
  }

  /** The module of a package, undefined if Kubernetes is not built from it. */
  moduleOf(path) {
    if (!path.split('/')[0].includes('.')) return main
    return [...this.#versions.keys()].filter((module) => `${path}/`.startsWith(`${module}/`)).sort((a, b) => b.length - a.length)[0]
  }

  /** Where a package is; undefined if its module is none of Kubernetes' or not in the cache. */
  folder(path) {
    const module = this.moduleOf(path)
    const version = this.#versions.get(module)
    if (version === undefined) return undefined
    const folder = folderOf(module, version)
    return existsSync(folder) ? join(folder, module === main ? path : path.slice(module.length)) : undefined
  }

  /** Those of the packages that have a declaration of this name. */
  packagesWith(name, packages) {
    return packages.filter((path) => this.package(path).has(name))
  }

  /** The content of a file of Kubernetes itself. */
  read(path) {
    return readFileSync(join(folderOf(main, this.version), path), 'utf8')
  }

  /** The names of the files in a folder of Kubernetes itself. */
  list(path) {
    return readdirSync(join(folderOf(main, this.version), path)).sort()
  }

  /** The declarations of a package by name; none if there is no such package. */
  package(path) {
    let found = this.#packages.get(path)
    if (found === undefined) {
      const folder = this.folder(path)
      const names = folder !== undefined && existsSync(folder) ? readdirSync(folder).sort() : []
      const files = names.filter((name) => name.endsWith('.go') && !ignored.test(name))
      found = readPackage(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
      this.#packages.set(path, found)
    }
    return found
  }
}
